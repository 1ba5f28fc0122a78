// check: array n=9,6
// A vector type with operators on values and references, Index, Sum, Default, conversion: gravity of a few bodies.
use std::iter::Sum;
use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}

impl Vec3 {
    fn dot(self, o: Vec3) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }
    fn cross(&self, o: &Vec3) -> Vec3 {
        Vec3 { x: self.y * o.z - self.z * o.y, y: self.z * o.x - self.x * o.z, z: self.x * o.y - self.y * o.x }
    }
    fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }
}

impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, o: Vec3) -> Vec3 {
        Vec3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}
impl<'a> Sub<&'a Vec3> for &'a Vec3 {
    type Output = Vec3;
    fn sub(self, o: &Vec3) -> Vec3 {
        Vec3 { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}
impl Mul<f64> for Vec3 {
    type Output = Vec3;
    fn mul(self, k: f64) -> Vec3 {
        Vec3 { x: self.x * k, y: self.y * k, z: self.z * k }
    }
}
impl Mul<Vec3> for f64 {
    type Output = Vec3;
    fn mul(self, v: Vec3) -> Vec3 {
        v * self
    }
}
impl Neg for Vec3 {
    type Output = Vec3;
    fn neg(self) -> Vec3 {
        -1.0 * self
    }
}
impl AddAssign for Vec3 {
    fn add_assign(&mut self, o: Vec3) {
        *self = *self + o;
    }
}
impl Sum for Vec3 {
    fn sum<I: Iterator<Item = Vec3>>(all: I) -> Vec3 {
        all.fold(Vec3::default(), Add::add)
    }
}
impl Index<usize> for Vec3 {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        match i {
            0 => &self.x,
            1 => &self.y,
            2 => &self.z,
            _ => panic!("no component {i}"),
        }
    }
}
impl IndexMut<usize> for Vec3 {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        match i {
            0 => &mut self.x,
            1 => &mut self.y,
            2 => &mut self.z,
            _ => unreachable!(),
        }
    }
}
impl From<&[f64]> for Vec3 {
    fn from(v: &[f64]) -> Vec3 {
        Vec3 { x: v[0], y: v[1], z: v[2] }
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut at: Vec<Vec3> = x.chunks_exact(3).map(Vec3::from).collect();
    let mut speed = vec![Vec3::default(); at.len()];
    for step in 0..4 {
        let force: Vec<Vec3> = (0..at.len())
            .map(|i| {
                at.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, o)| {
                    let d = &at[i] - o;
                    -d * (1.0 / (d.dot(d) + 0.1).powf(1.5))
                }).sum()
            })
            .collect();
        for ((a, v), f) in at.iter_mut().zip(&mut speed).zip(&force) {
            *v += 0.05 * *f;
            *a += 0.05 * *v;
            a[step % 3] *= 1.01;
        }
    }
    let spin: Vec3 = at.iter().zip(&speed).map(|(a, v)| a.cross(v)).sum();
    spin.norm() + speed.iter().map(|v| 0.5 * v.dot(*v)).sum::<f64>() + at[0][1]
}
