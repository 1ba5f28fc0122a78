// check: array n=6 refused=E0111@-O2-fno-inline
// Vectors of numbers, vectors and closures are copied, swapped, sorted and grown in a program that has an enum with
// numbers where other variants have integers, and a struct of two f32: what Rust says is moved is no such thing.
#[derive(Clone)]
enum Law {
    Line(f64, f64),
    Points(Vec<f64>),
    Step(usize),
}

impl Law {
    fn at(&self, s: f64) -> f64 {
        match self {
            Law::Line(a, b) => (a * s + b).tanh(),
            Law::Points(all) => all.iter().fold(s, |t, v| (t + v).sin()),
            Law::Step(n) => s * *n as f64,
        }
    }
}

#[derive(Clone, Copy)]
struct Pair {
    a: f32,
    b: f32,
}

fn scaled(by: f64) -> impl Fn(f64) -> f64 {
    move |v| (by * v).tanh()
}

#[inline(never)]
fn joined(x: &[f64], laws: &[Law], pairs: &[Pair]) -> f64 {
    let mut kept = x[..4].to_vec();
    kept[1] *= x[5];
    let mut rows = vec![kept.clone(); 5];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] += x[i] * x[i + 1];
        row[2] = (row[1] - x[i]).sin();
    }
    rows.swap(0, 2);
    let row = rows.remove(1);
    rows.insert(3, row);
    rows.sort_by(|l, r| l[0].partial_cmp(&r[0]).unwrap());
    let mut through: Vec<Box<dyn Fn(f64) -> f64>> = Vec::new();
    for i in 0..6 {
        through.push(Box::new(scaled(x[i] + rows[i % 5][2])));
    }
    let mut s = through.iter().fold(x[3], |s, f| s + f(s));
    for (i, law) in laws.iter().enumerate() {
        s += law.at(rows[i][0]) + rows[i].iter().sum::<f64>();
    }
    s + pairs.iter().map(|p| f64::from(p.a * p.b)).sum::<f64>() * kept[0]
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let laws = vec![Law::Line(x[0], x[1]), Law::Points(x[2..].to_vec()), Law::Step(2), Law::Line(0.3, x[4])];
    let pairs = vec![Pair { a: 0.5, b: 0.25 }, Pair { a: 1.5, b: 2.0 }];
    let other = laws.clone();
    joined(x, &laws, &pairs) + 0.5 * joined(x, &other[1..], &pairs)
}
