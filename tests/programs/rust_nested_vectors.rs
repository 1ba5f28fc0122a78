// check: array n=9,4
// Matrices as Vec<Vec<f64>>: product, transpose, elimination with pivots by swapping rows.
type Matrix = Vec<Vec<f64>>;

fn matrix(x: &[f64], n: usize) -> Matrix {
    (0..n)
        .map(|i| (0..n).map(|j| x[(i * n + j) % x.len()] + if i == j { 2.0 } else { 0.0 }).collect())
        .collect()
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    a.iter().map(|row| (0..b[0].len()).map(|j| row.iter().zip(b).map(|(v, other)| v * other[j]).sum()).collect()).collect()
}

fn transposed(a: &Matrix) -> Matrix {
    (0..a[0].len()).map(|j| a.iter().map(|row| row[j]).collect()).collect()
}

fn determinant(mut a: Matrix) -> f64 {
    let n = a.len();
    let mut result = 1.0;
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().partial_cmp(&a[j][k].abs()).unwrap()).unwrap();
        if pivot != k {
            a.swap(pivot, k);
            result = -result;
        }
        result *= a[k][k];
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            let (above, below) = a.split_at_mut(i);
            for (v, p) in below[0].iter_mut().zip(&above[k]).skip(k) {
                *v -= factor * p;
            }
        }
    }
    result
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let size = (n as f64).sqrt() as usize;
    let a = matrix(x, size);
    determinant(product(&a, &transposed(&a))).ln()
}
