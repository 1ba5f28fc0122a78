// check: array n=3 range=0.4:1.4 refused=E0110@-O1
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut list: Vec<[f64; 2]> = vec![];
    for &z in x {
        match (if z < 0.0 { None } else { Some([z * z, z]) }).ok_or("negative") {
            Ok(pair) => list.push(pair),
            Err(text) => return text.len() as f64,
        }
    }
    list.iter().map(|t| t[0] * t[1]).sum()
}
