// check: array n=7,2
// Enums that hold numbers in some variants and vectors in others, whose vectors grow and shrink in place: the count lies
// where others have a number, and optimised code reads a word once, as the pointer and as the number.
#[derive(Clone)]
enum Law {
    Line(f64, f64),
    Wave { k: f64, shift: f64 },
    At(Box<[f64; 2]>),
    Points(Vec<f64>),
}

impl Law {
    fn at(&self, s: f64) -> f64 {
        match self {
            Law::Line(a, b) => (a * s + b).tanh(),
            Law::Wave { k, shift } => (k * s + shift).sin(),
            Law::At(p) => p[0] * s - 0.2 * p[1],
            Law::Points(all) => all.iter().fold(s, |t, v| (t + v).sin()),
        }
    }

    fn grow(&mut self, v: f64) {
        match self {
            Law::Line(a, _) => *a = (*a + v).sin(),
            Law::Wave { .. } => {}
            Law::At(p) => p[1] += 0.3 * v,
            Law::Points(all) => all.push(0.4 * v),
        }
    }

    fn shrink(&mut self) {
        if let Law::Points(all) = self {
            let last = all.pop().unwrap_or(0.5);
            all.iter_mut().for_each(|v| *v *= last);
        }
    }
}

#[no_mangle]
pub unsafe extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = std::slice::from_raw_parts(x, n as usize);
    let last = x[x.len() - 1];
    let mut laws = vec![
        Law::Wave { k: x[0], shift: 0.3 },
        Law::At(Box::new([x[1], last])),
        Law::Line(x[0], x[1]),
        Law::Points(x.to_vec()),
    ];
    if x[0] > 0.9 {
        laws.push(Law::Points(Vec::new()));
    }
    laws.iter_mut().for_each(|law| law.grow(last));
    let copies = laws.clone();
    laws[3].shrink();
    laws[2].grow(x[1]);
    laws.iter().chain(&copies).fold(x[1], |v, law| law.at(v))
}
