// check: array n=6 stopped=-O2-fno-inline
// Variants with a short count beside numbers: the rest of its word keeps what was there.
use std::collections::BTreeMap;
#[derive(Clone, Debug)]
enum Shape { Circle { r: f64 }, Rect { w: f64, h: f64 }, Poly { sides: u32, length: f64 }, Path(Vec<(f64, f64)>) }
impl Shape {
    fn area(&self) -> Option<f64> {
        match self {
            Shape::Circle { r } => Some(3.0 * r * r),
            Shape::Rect { w, h } => Some(w * h),
            Shape::Poly { sides, length } if *sides > 2 => Some(*sides as f64 * length * length / 4.0),
            Shape::Poly { .. } => None,
            Shape::Path(p) => {
                let mut a = 0.0;
                for i in 0..p.len() { let (q, r) = (p[i], p[(i + 1) % p.len()]); a += q.0 * r.1 - q.1 * r.0; }
                Some(0.5 * a)
            }
        }
    }
}
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut groups: BTreeMap<&'static str, Vec<Shape>> = BTreeMap::new();
    for (i, v) in x.iter().enumerate() {
        let (name, s) = match i % 4 {
            0 => ("round", Shape::Circle { r: *v }),
            1 => ("flat", Shape::Rect { w: *v, h: v + 1.0 }),
            2 => ("flat", Shape::Poly { sides: i as u32 + 1, length: v * 2.0 }),
            _ => ("open", Shape::Path(vec![(0.0, *v), (v * v, 1.0), (1.0, x[0])])),
        };
        groups.entry(name).or_default().push(s);
    }
    groups.iter().map(|(name, g)| name.len() as f64 * g.iter().filter_map(|s| s.area()).sum::<f64>()).sum()
}
