// check: array n=6,3
// Trait objects of which some have integers where others have numbers.
trait Shape {
    fn area(&self) -> f64;
    fn grow(&mut self, by: f64);
}

struct Circle {
    r: f64,
}
struct Poly {
    n: u64,
    side: f64,
}
struct Rect(f64, f64);

impl Shape for Circle {
    fn area(&self) -> f64 {
        3.0 * self.r * self.r
    }
    fn grow(&mut self, by: f64) {
        self.r *= by;
    }
}

impl Shape for Poly {
    fn area(&self) -> f64 {
        self.n as f64 * self.side * self.side
    }
    fn grow(&mut self, by: f64) {
        self.n += 1;
        self.side += by;
    }
}

impl Shape for Rect {
    fn area(&self) -> f64 {
        self.0 * self.1
    }
    fn grow(&mut self, by: f64) {
        self.0 += by;
        self.1 *= self.0;
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut shapes: Vec<Box<dyn Shape>> = Vec::new();
    for (i, v) in x.iter().enumerate() {
        match i % 3 {
            0 => shapes.push(Box::new(Circle { r: *v })),
            1 => shapes.push(Box::new(Poly { n: i as u64 + 3, side: *v })),
            _ => shapes.push(Box::new(Rect(*v, x[0]))),
        }
    }
    for s in shapes.iter_mut() {
        s.grow(x[1]);
    }
    let mut total = 0.0;
    for s in &shapes {
        total += s.area() * (1.0 + 0.1 * total);
    }
    total
}
