// check: array n=5,4
// Results that are arrays or a string: the optimiser moves a number as the string's pointer. Pointers beside arrays, in
// structs that are moved, stay pointers.
use std::array;
use std::mem;

#[derive(Clone, Copy)]
struct Matrix<const N: usize>([[f64; N]; N]);

impl<const N: usize> TryFrom<&[f64]> for Matrix<N> {
    type Error = String;
    fn try_from(s: &[f64]) -> Result<Self, String> {
        if s.len() < N * N {
            return Err("too short".to_string());
        }
        Ok(Matrix(array::from_fn(|i| s[i * N..(i + 1) * N].try_into().unwrap())))
    }
}

fn transformed<const N: usize>(m: Matrix<N>) -> Matrix<N> {
    Matrix(array::from_fn(|i| array::from_fn(|j| m.0[i][j] * m.0[j][i])))
}

struct Holder {
    apart: Box<f64>,
    values: [f64; 3],
}

fn exchanged(x: &[f64]) -> f64 {
    let mut a = Holder { apart: Box::new(x[0]), values: array::from_fn(|i| x[i + 1]) };
    let mut b = Holder { apart: Box::new(x[1] * x[2]), values: [x[0]; 3] };
    for i in 0..5 {
        mem::swap(&mut a, &mut b);
        let k = (x.len() + i) % 3;
        a.values[k] *= *b.apart;
        *a.apart += b.values[k];
    }
    *a.apart * a.values.iter().sum::<f64>() + *b.apart
}

struct Vector([f64; 5]);

impl TryFrom<&[f64]> for Vector {
    type Error = String;
    fn try_from(s: &[f64]) -> Result<Self, String> {
        if s.len() < 5 {
            return Err("too short".to_string());
        }
        Ok(Vector(array::from_fn(|i| s[i])))
    }
}

fn squared(x: &[f64]) -> Result<f64, String> {
    let v: Vector = x.try_into()?;
    Ok(v.0.iter().map(|v| v * v).sum())
}

fn measured(x: &[f64]) -> Result<f64, String> {
    let small: Matrix<2> = x.try_into()?;
    let large: Matrix<3> = x.try_into()?;
    let sum: f64 = transformed(large).0.iter().flatten().sum();
    Ok(sum + transformed(small).0[0][1] * large.0[0][1] * large.0[0][2])
}

#[inline(never)]
fn ends(s: &[f64]) -> Result<[f64; 4], String> {
    if s.len() < 4 {
        return Err("no ends".to_string());
    }
    Ok([s[0], s[1], s[s.len() - 2], s[s.len() - 1]])
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    // Nothing else reads x: no other access says that numbers are there.
    let s = squared(unsafe { std::slice::from_raw_parts(x, n as usize) }).unwrap_or(1.0);
    let y: [f64; 9] = array::from_fn(|i| (s * (i + 1) as f64).sin());
    let product: f64 = ends(&y).map_or(1.0, |v| v.iter().product());
    s + product + measured(&y).unwrap_or(0.0) + exchanged(&y)
}
