// check: array n=9
// Vectors of structs with members of several types grow and shrink; the library's functions for that are the same.
#[derive(Clone)]
pub struct Mixed { a: f32, b: f64, c: [f32; 2] }
#[derive(Clone)]
pub struct Counted { n: u64, v: f64, w: f64 }
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut pair = vec![Mixed { a: 0.5, b: x[3], c: [0.25, 0.5] }; 2];
    pair.push(Mixed { a: 1.5, b: x[0], c: [0.25, 2.0] });
    let first = pair[0].b * f64::from(pair[0].a) + pair[2].b.sin() * f64::from(pair[2].c[1] * pair[1].a);
    let mut mixed = vec![Mixed { a: 0.75, b: x[1], c: [0.5, 0.25] }; 2];
    mixed.resize(x.len(), Mixed { a: 1.25, b: x[0] * x[2], c: [0.5, 3.0] });
    let mut numbers = vec![x[0], x[1]];
    numbers.resize(3 + x.len(), x[2] * x[3]);
    let mut counted = vec![Counted { n: 2, v: x[4], w: x[5] }; 2];
    for (i, v) in x.iter().enumerate() { counted.push(Counted { n: i as u64, v: v * x[0], w: v.cos() }); }
    counted.truncate(4);
    counted.shrink_to_fit();
    let mut indices = vec![1_u64, 2];
    indices.resize(x.len(), 3);
    let mut sum = first * numbers.iter().sum::<f64>();
    for (i, m) in mixed.iter().enumerate() { sum += m.b * x[i] * f64::from(m.a + m.c[0] * m.c[1]) * indices[i] as f64; }
    sum + counted.iter().map(|c| c.n as f64 * c.v * c.w).sum::<f64>()
}
