// Enums of which a function uses the integers and copies the rest (see rust_enums_with_integers.c).
#[repr(i64)]
#[derive(Clone, Copy)]
pub enum Data {
    Indices([i32; 2]),
    Weights([f32; 2]),
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Token {
    data: Data,
    x: f64,
}

#[no_mangle]
pub extern "C" fn tokens(first: *mut Token) -> f64 {
    let t = unsafe { std::slice::from_raw_parts_mut(first, 4) };
    let kept = t[3];
    t[3] = t[0];
    t[0] = kept;
    let mut sum = 0.0;
    for token in t.iter() {
        sum += match token.data {
            Data::Indices(n) => token.x * n[1] as f64,
            Data::Weights(_) => token.x * token.x,
        };
    }
    let turned: Vec<Token> = t.iter().rev().cloned().collect();
    t.copy_from_slice(&turned);
    sum * t[1].x
}
