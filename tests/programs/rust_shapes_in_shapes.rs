// check: array n=6,3
// Trait objects that hold others, count beside numbers, and are copied.
trait Shape {
    fn area(&self) -> f64;
    fn grow(&mut self, by: f64);
    fn copy(&self) -> Box<dyn Shape>;
}

struct Circle {
    r: f64,
}
struct Poly {
    n: u64,
    side: f64,
}
struct Rect(f64, f64);

struct Scaled { times: usize, inner: Box<dyn Shape>, by: f64 }
impl Shape for Scaled {
    fn copy(&self) -> Box<dyn Shape> {
        Box::new(Scaled { times: self.times, inner: self.inner.copy(), by: self.by })
    }
    fn area(&self) -> f64 {
        let mut a = self.inner.area();
        for _ in 0..self.times {
            a *= self.by;
        }
        a
    }
    fn grow(&mut self, by: f64) {
        self.times += 1;
        self.inner.grow(by);
        self.by += 0.5 * by;
    }
}

impl Shape for Circle {
    fn copy(&self) -> Box<dyn Shape> {
        Box::new(Circle { r: self.r })
    }
    fn area(&self) -> f64 {
        3.0 * self.r * self.r
    }
    fn grow(&mut self, by: f64) {
        self.r *= by;
    }
}

impl Shape for Poly {
    fn copy(&self) -> Box<dyn Shape> {
        Box::new(Poly { n: self.n, side: self.side })
    }
    fn area(&self) -> f64 {
        self.n as f64 * self.side * self.side
    }
    fn grow(&mut self, by: f64) {
        self.n += 1;
        self.side += by;
    }
}

impl Shape for Rect {
    fn copy(&self) -> Box<dyn Shape> {
        Box::new(Rect(self.0, self.1))
    }
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
            _ => {
                let inner = shapes.pop().unwrap();
                shapes.push(Box::new(Scaled { times: i, inner, by: *v }));
                shapes.push(Box::new(Rect(*v, x[0])))
            }
        }
    }
    for s in shapes.iter_mut() {
        s.grow(x[1]);
    }
    let copies: Vec<Box<dyn Shape>> = shapes.iter().map(|s| s.copy()).collect();
    let mut total = copies[0].area();
    for s in copies.iter().rev() {
        total += 0.3 * s.area();
    }
    for s in &shapes {
        total += s.area() * (1.0 + 0.1 * total);
    }
    total
}
