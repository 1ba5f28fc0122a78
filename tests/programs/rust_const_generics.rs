// check: array n=9
// Arrays and matrices of constant size: const generics, map, iter over arrays by value, array of arrays, from_fn.
#[derive(Clone, Copy, Debug)]
struct Matrix<const R: usize, const C: usize>([[f64; C]; R]);

impl<const R: usize, const C: usize> Matrix<R, C> {
    fn times<const K: usize>(&self, other: &Matrix<C, K>) -> Matrix<R, K> {
        let mut out = [[0.0; K]; R];
        for (i, row) in out.iter_mut().enumerate() {
            for (j, e) in row.iter_mut().enumerate() {
                *e = (0..C).map(|k| self.0[i][k] * other.0[k][j]).sum();
            }
        }
        Matrix(out)
    }
    fn transposed(self) -> Matrix<C, R> {
        Matrix(std::array::from_fn(|i| std::array::from_fn(|j| self.0[j][i])))
    }
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Matrix(self.0.map(|row| row.map(&f)))
    }
}

impl<const N: usize> Matrix<N, N> {
    fn trace(&self) -> f64 {
        (0..N).map(|i| self.0[i][i]).sum()
    }
    fn power(&self, n: u32) -> Self {
        match n {
            1 => *self,
            n if n % 2 == 0 => self.times(self).power(n / 2),
            n => self.times(&self.power(n - 1)),
        }
    }
}

#[no_mangle]
pub extern "C" fn objective(x: &[f64; 9], _n: i32) -> f64 {
    let rows: [[f64; 3]; 3] = std::array::from_fn(|i| [x[3 * i], x[3 * i + 1], x[3 * i + 2]]);
    let a = Matrix(rows).map(|v| 0.3 * v);
    let wide = Matrix([[x[0], x[1], x[2]], [x[3].sin(), x[4], x[5]]]);
    let gram = wide.times(&wide.transposed());
    let mut sum = 0.0;
    for (i, v) in x.iter().copied().enumerate() {
        sum += v * i as f64;
    }
    a.power(5).trace() + gram.trace() * gram.0[0][1] + sum
}
