// check: array n=6
// Vectors that are collected from ranges in a method: at -O1 the allocation is inlined late, and its size is a pointer
// where it fails.
struct Attention { q: [f64; 4], heads: usize }
impl Attention {
    fn forward(&self, x: [f64; 4]) -> [f64; 4] {
        let mut out = [0.0; 4];
        for i in 0..4 { let s: Vec<f64> = (0..=i).map(|j| (0..4 / self.heads).map(|c| x[c] * self.q[j]).sum::<f64>()).collect(); for a in s { out[i] += a; } }
        out
    }
}
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let m = [Attention { q: [x[0], x[1], x[2], x[3]], heads: 2 }, Attention { q: [x[4], 1.0, x[5], 0.5], heads: 1 }];
    m.iter().fold([x[0], x[1], x[2], x[3]], |a, l| l.forward(a)).iter().sum()
}
