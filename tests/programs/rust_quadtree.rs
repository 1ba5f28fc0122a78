// check: array n=9,4
// A quadtree: boxes of four nodes, whose leaves are vectors of points that are as large as a node.
enum Quad {
    Leaf(Vec<(f64, f64, f64)>),
    Node(Box<[Quad; 4]>),
}

impl Quad {
    fn build(points: Vec<(f64, f64, f64)>, depth: usize) -> Quad {
        if points.len() <= 1 || depth == 0 {
            return Quad::Leaf(points);
        }
        let (x, y) = points.iter().fold((0.0, 0.0), |(a, b), p| (a + p.0, b + p.1));
        let (x, y) = (x / points.len() as f64, y / points.len() as f64);
        let mut parts: [Vec<(f64, f64, f64)>; 4] = Default::default();
        for p in points {
            parts[(p.0 > x) as usize + 2 * (p.1 > y) as usize].push(p);
        }
        Quad::Node(Box::new(parts.map(|part| Quad::build(part, depth - 1))))
    }

    fn energy(&self) -> f64 {
        match self {
            Quad::Leaf(points) => points.iter().map(|(x, y, m)| m * (x * x + y * y).sqrt()).sum(),
            Quad::Node(parts) => parts.iter().map(Quad::energy).sum::<f64>() * 1.1,
        }
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let points = x.iter().enumerate().map(|(i, v)| (*v, v.sin() * i as f64, 1.0 + v)).collect();
    Quad::build(points, 3).energy()
}
