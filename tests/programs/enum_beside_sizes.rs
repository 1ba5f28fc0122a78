// check: array n=9
// Products of matrices that may fail: an error holds a number where a matrix has its sizes, which are multiplied, and
// which debug builds check for overflow.
enum Failure {
    Shape(usize, usize),
    NotPositive(f64),
}

struct Matrix {
    data: Vec<f64>,
    rows: usize,
    columns: usize,
}

impl Matrix {
    fn at(&self, i: usize, j: usize) -> f64 {
        self.data[i * self.columns + j]
    }

    fn times(&self, other: &Matrix) -> Result<Matrix, Failure> {
        if self.columns != other.rows {
            return Err(Failure::Shape(self.columns, other.rows));
        }
        if self.at(0, 0) < 0.0 {
            return Err(Failure::NotPositive(self.at(0, 0)));
        }
        let element = |k: usize| {
            let (i, j) = (k / other.columns, k % other.columns);
            (0..self.columns).map(|l| self.at(i, l) * other.at(l, j)).sum()
        };
        let data = (0..self.rows * other.columns).map(element).collect();
        Ok(Matrix { data, rows: self.rows, columns: other.columns })
    }
}

fn run(a: &Matrix, b: &Matrix) -> Result<f64, Failure> {
    let square = a.times(a)?;
    Ok(square.at(0, 2) + square.times(b)?.at(1, 1))
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let a = Matrix { data: x.to_vec(), rows: 3, columns: 3 };
    let mut sum = 0.0;
    for sign in [1.0, -1.0] {
        let b = Matrix { data: x.iter().map(|v| sign * v * v).collect(), rows: 3, columns: 3 };
        sum += match run(&b, &a) {
            Ok(value) => value,
            Err(Failure::Shape(..)) => 0.0,
            Err(Failure::NotPositive(value)) => value,
        };
    }
    sum
}
