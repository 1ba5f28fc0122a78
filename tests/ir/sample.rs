// What Rust adds: slices with bounds checks, trait objects, enums with data, Result, closures, threads, i128, panics.
use std::collections::HashMap;

trait Shape {
    fn area(&self) -> f64;
}
struct Square(f64);
struct Circle {
    radius: f32,
}
impl Shape for Square {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}
impl Shape for Circle {
    fn area(&self) -> f64 {
        (self.radius * self.radius) as f64 * std::f64::consts::PI
    }
}

#[derive(Debug, Clone)]
enum Item {
    Small(u8),
    Large { x: f64, y: [i32; 3] },
    Text(String),
}

#[no_mangle]
pub fn energy(x: &[f64], k: f64) -> f64 {
    let mut s = 0.0;
    for i in 1..x.len() {
        let d = x[i] - x[i - 1];
        s += 0.5 * k * d * d + d.sin().powi(3);
    }
    s
}

fn parse(text: &str) -> Result<f64, std::num::ParseFloatError> {
    let value = text.trim().parse::<f64>()?;
    Ok(value * 2.0)
}

fn main() {
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(2.0)), Box::new(Circle { radius: 1.5 })];
    let total: f64 = shapes.iter().map(|s| s.area()).sum();
    let mut counts = HashMap::new();
    for (i, word) in "a b c a".split(' ').enumerate() {
        *counts.entry(word).or_insert(0) += i;
    }
    let items = vec![Item::Small(1), Item::Large { x: 1.0, y: [1, 2, 3] }, Item::Text("q".into())];
    let x: Vec<f64> = (0..50).map(|i| i as f64 * 0.1).collect();
    let joined = std::thread::spawn(move || energy(&x, 2.0)).join().unwrap();
    println!("{} {:?} {:?} {:?} {} {}", total, counts, items, parse("3.5"), joined, i128::MAX / 7);
}
