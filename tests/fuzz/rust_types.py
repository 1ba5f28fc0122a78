"""The types and functions that every random Rust function has."""

from __future__ import annotations

TYPES = """#[derive(Clone, Copy, PartialEq)]
pub struct Point {
    x: f64,
    y: f64,
    z: f64,
}
impl Add for Point {
    type Output = Point;
    fn add(self, o: Point) -> Point { Point { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z } }
}
impl Mul<f64> for Point {
    type Output = Point;
    fn mul(self, s: f64) -> Point { Point { x: self.x * s, y: self.y * s, z: self.z * s } }
}
impl Neg for Point {
    type Output = Point;
    fn neg(self) -> Point { self * -1.0 }
}
impl AddAssign for Point {
    fn add_assign(&mut self, o: Point) { *self = *self + o; }
}
impl Sum for Point {
    fn sum<I: Iterator<Item = Point>>(all: I) -> Point { all.fold(Point { x: 0.0, y: 0.1, z: 0.0 }, |s, p| s + p) }
}
impl Point {
    fn new(x: f64, y: f64, z: f64) -> Self { Point { x, y, z } }
    fn dot(&self, o: &Point) -> f64 { self.x * o.x + self.y * o.y + self.z * o.z }
    fn turned(mut self, by: f64) -> Self {
        let (s, c) = by.sin_cos();
        (self.x, self.y) = (c * self.x - s * self.y, s * self.x + c * self.y);
        self
    }
}
#[derive(Clone)]
pub struct Record {
    key: i32,
    value: f64,
    more: Vec<f64>,
    at: Point,
}
#[derive(Clone)]
pub enum Law {
    Zero,
    Line(f64, f64),
    Wave { k: f64, shift: f64 },
    Points(Vec<f64>),
    At(Box<Point>),
    Twice(Box<Law>),
}
impl Law {
    fn at(&self, s: f64) -> f64 {
        match self {
            Law::Zero => 0.0,
            Law::Line(a, b) => f64::tanh(a * s + b),
            Law::Wave { k, shift } if *k > 0.9 => (k * s).cos() + 0.1 * shift,
            Law::Wave { k, shift } => (k * s + shift).sin(),
            Law::Points(all) => all.iter().fold(s, |t, v| (t + v).sin()),
            Law::At(p) => (p.x * s + p.y).tanh() - 0.2 * p.z,
            Law::Twice(law) => law.at(law.at(s)),
        }
    }
    fn grow(&mut self, v: f64) {
        match self {
            Law::Line(a, _) => *a = f64::sin(*a + v),
            Law::Points(all) => all.push(0.4 * v),
            Law::At(p) => p.y += 0.3 * v,
            Law::Twice(law) => law.grow(v),
            Law::Zero => *self = Law::Line(v, 0.3),
            _ => {}
        }
    }
}
pub trait Shape {
    fn measure(&self, s: f64) -> f64;
    fn grow(&mut self, _s: f64) {}
    fn sides(&self) -> i32 { 1 }
}
pub struct Ball {
    r: f64,
    tag: i32,
}
impl Shape for Ball {
    fn measure(&self, s: f64) -> f64 { (self.r * s).sin() + 0.1 * f64::from(self.tag) }
    fn grow(&mut self, s: f64) {
        self.tag += i32::from(s > 0.0);
        self.r = (self.r + s).tanh();
    }
}
pub struct Ring {
    inner: f64,
    ball: Ball,
}
impl Shape for Ring {
    fn measure(&self, s: f64) -> f64 { self.ball.measure(s) - 0.5 * self.inner * s }
    fn sides(&self) -> i32 { 2 }
}
pub struct Path(Vec<f64>);
impl Shape for Path {
    fn measure(&self, s: f64) -> f64 { self.0.iter().fold(s, |t, v| (t + v).sin()) }
    fn grow(&mut self, s: f64) { self.0.push(0.3 * s); }
    fn sides(&self) -> i32 { self.0.len() as i32 }
}
pub struct Scaled<S: Shape> {
    by: f64,
    inner: S,
}
impl<S: Shape> Shape for Scaled<S> {
    fn measure(&self, s: f64) -> f64 { (self.by * self.inner.measure(s)).tanh() }
    fn grow(&mut self, s: f64) { self.inner.grow(self.by * s); }
}
pub struct Node {
    v: f64,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}
impl Node {
    fn insert(&mut self, v: f64) {
        let side = if v < self.v { &mut self.left } else { &mut self.right };
        match side {
            Some(node) => node.insert(v),
            None => *side = Some(Box::new(Node { v, left: None, right: None })),
        }
    }
    fn total(&self) -> f64 {
        let left = self.left.as_ref().map_or(0.4, |n| n.total());
        self.v * left + 0.5 * self.right.as_deref().map(Node::total).unwrap_or(self.v).sin()
    }
}
pub struct Link {
    v: f64,
    next: Option<Box<Link>>,
}
pub struct Member {
    v: f64,
    friends: Vec<Rc<RefCell<Member>>>,
}
#[derive(Clone, Copy)]
pub struct Matrix<const R: usize, const C: usize> {
    at: [[f64; C]; R],
}
impl<const R: usize, const C: usize, const K: usize> Mul<Matrix<C, K>> for Matrix<R, C> {
    type Output = Matrix<R, K>;
    fn mul(self, o: Matrix<C, K>) -> Matrix<R, K> {
        let mut r = Matrix { at: [[0.0; K]; R] };
        for i in 0..R {
            for j in 0..K {
                r.at[i][j] = (0..C).map(|k| self.at[i][k] * o.at[k][j]).sum();
            }
        }
        r
    }
}
impl<const R: usize, const C: usize> Index<(usize, usize)> for Matrix<R, C> {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 { &self.at[i % R][j % C] }
}
impl<const R: usize, const C: usize> IndexMut<(usize, usize)> for Matrix<R, C> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 { &mut self.at[i % R][j % C] }
}
pub struct Steps {
    at: f64,
    by: f64,
    left: usize,
}
impl Iterator for Steps {
    type Item = f64;
    fn next(&mut self) -> Option<f64> {
        self.left = self.left.checked_sub(1)?;
        self.at = (self.at + self.by).sin();
        Some(self.at)
    }
}
pub struct Guard<'a> {
    to: &'a Cell<f64>,
    v: f64,
}
impl Drop for Guard<'_> {
    fn drop(&mut self) { self.to.set((self.to.get() + self.v).tanh()); }
}
#[derive(Clone, Copy)]
pub struct Metre;
#[derive(Clone, Copy)]
pub struct Quantity<U> {
    v: f64,
    unit: PhantomData<U>,
}
impl<U> Add for Quantity<U> {
    type Output = Self;
    fn add(self, o: Self) -> Self { Quantity { v: self.v + o.v, unit: PhantomData } }
}
#[derive(Clone)]
pub struct Mixed {
    a: f32,
    b: f64,
    c: [f32; 2],
}
pub enum Trouble {
    Small(f64),
    Empty,
}
impl Trouble {
    fn told(self) -> f64 { match self { Trouble::Small(v) => 0.3 * v.sin(), Trouble::Empty => 0.1 } }
}
fn checked(v: f64, k: usize) -> Result<f64, Trouble> {
    if k > 5 { Err(Trouble::Empty) } else if v < -0.8 { Err(Trouble::Small(v)) } else { Ok((v + 1.3).sqrt()) }
}
fn root(v: f64) -> Option<f64> { if v > -1.0 { Some((v + 1.2).sqrt()) } else { None } }
fn both(v: f64, w: f64) -> Result<f64, Trouble> { let one = checked(v, 1)?; Ok(one * checked(w + one, 2)?) }
fn named(name: &str, v: f64) -> f64 {
    match name { "sine" => v.sin(), "square" => v * v / (1.0 + v * v), other => v / (2.0 + other.len() as f64) }
}
fn scaled(by: f64) -> impl Fn(f64) -> f64 { move |v| (by * v).tanh() }
fn counting(by: f64) -> impl FnMut(f64) -> f64 { let mut all = by; move |v| { all += 0.2 * v; (all * v).sin() } }
fn boxed(kind: usize, by: f64) -> Box<dyn Fn(f64) -> f64> {
    match kind { 0 => Box::new(|v| v.sin()), 1 => Box::new(move |v| (v * by).cos()), _ => Box::new(scaled(by)) }
}
fn total<S: Shape + ?Sized>(shape: &S, v: f64) -> f64 { shape.measure(v) + 0.2 * f64::from(shape.sides()) }
fn apply<F: FnMut(f64) -> f64>(mut f: F, v: f64) -> f64 { let w = f(v); 0.5 * f(w) + w }
fn positive(v: &[f64]) -> Cow<'_, [f64]> {
    if v.iter().all(|e| *e > 0.1) { Cow::Borrowed(v) } else { Cow::Owned(v.iter().map(|e| e * e).collect()) }
}
fn smallest(v: &[f64]) -> &f64 { v.iter().min_by(|l, r| l.total_cmp(r)).unwrap() }
unsafe fn walk(mut p: *const f64, end: *const f64) -> f64 {
    let mut sum = 0.3;
    while p != end { sum = f64::sin(sum + *p); p = p.add(1); }
    sum
}
"""
