// check: array n=6,2
// Tensor with shape in a Vec<usize>; results with errors that carry numbers and shapes.
#[derive(Debug, Clone)]
struct Tensor { shape: Vec<usize>, data: Vec<f64> }
#[derive(Debug)]
enum TensorError { Shape { expected: usize, found: usize }, NotFinite(f64), Rank(usize) }
impl Tensor {
    fn new(shape: &[usize], data: Vec<f64>) -> Result<Tensor, TensorError> {
        let n: usize = shape.iter().product();
        if n != data.len() { return Err(TensorError::Shape { expected: n, found: data.len() }); }
        if let Some(bad) = data.iter().find(|v| !v.is_finite()) { return Err(TensorError::NotFinite(*bad)); }
        Ok(Tensor { shape: shape.to_vec(), data })
    }
    fn reshape(self, shape: &[usize]) -> Result<Tensor, TensorError> { Tensor::new(shape, self.data) }
    fn transpose(&self) -> Result<Tensor, TensorError> {
        if self.shape.len() != 2 { return Err(TensorError::Rank(self.shape.len())); }
        let (r, c) = (self.shape[0], self.shape[1]);
        let mut d = Vec::with_capacity(r * c);
        for j in 0..c { for i in 0..r { d.push(self.data[i * c + j]); } }
        Tensor::new(&[c, r], d)
    }
    fn dot(&self, o: &Tensor) -> Result<Tensor, TensorError> {
        let (r, k, c) = (self.shape[0], self.shape[1], o.shape[1]);
        if k != o.shape[0] { return Err(TensorError::Shape { expected: k, found: o.shape[0] }); }
        let mut d = vec![0.0; r * c];
        for i in 0..r { for j in 0..c { for l in 0..k { d[i * c + j] += self.data[i * k + l] * o.data[l * c + j]; } } }
        Tensor::new(&[r, c], d)
    }
}
fn run(x: &[f64]) -> Result<f64, TensorError> {
    let a = Tensor::new(&[x.len()], x.to_vec())?.reshape(&[x.len() / 2, 2])?;
    let g = a.transpose()?.dot(&a)?;
    Ok(g.data[0] * g.data[3] - g.data[1] * g.data[2] + g.shape.len() as f64)
}
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    match run(x) { Ok(v) => v, Err(TensorError::NotFinite(v)) => v, Err(TensorError::Shape { expected, found }) => (expected + found) as f64, Err(TensorError::Rank(r)) => r as f64 }
}
