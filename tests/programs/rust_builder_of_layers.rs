// check: array n=7,2 level=-O2
// Layers behind traits in a network that is built by value; of its empty map nobody uses some members.
use std::collections::HashMap;
use std::fmt;
trait Layer {
    fn forward(&self, input: &[f64]) -> Vec<f64>;
    fn name(&self) -> String {
        String::from("layer")
    }
}
struct Dense {
    w: Vec<Vec<f64>>,
    b: Vec<f64>,
}
struct Norm {
    eps: f64,
}
struct Residual {
    inner: Box<dyn Layer>,
    gate: f64,
}
impl Layer for Dense {
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        self.w
            .iter()
            .zip(&self.b)
            .map(|(row, b)| (row.iter().zip(x).map(|(a, b)| a * b).sum::<f64>() + b).tanh())
            .collect()
    }
    fn name(&self) -> String {
        format!("dense{}x{}", self.w.len(), self.b.len())
    }
}
impl Layer for Norm {
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        let m = x.iter().sum::<f64>() / x.len() as f64;
        let v = x.iter().map(|a| (a - m).powi(2)).sum::<f64>() / x.len() as f64;
        x.iter().map(|a| (a - m) / (v + self.eps).sqrt()).collect()
    }
}
impl Layer for Residual {
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        let y = self.inner.forward(x);
        x.iter().zip(y).map(|(a, b)| a + self.gate * b).collect()
    }
    fn name(&self) -> String {
        "res:".to_owned() + &self.inner.name()
    }
}
struct Net {
    layers: Vec<Box<dyn Layer>>,
    seen: HashMap<String, usize>,
}
impl fmt::Display for Net {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for l in &self.layers {
            write!(f, "{} ", l.name())?;
        }
        Ok(())
    }
}
impl Net {
    fn add(mut self, l: impl Layer + 'static) -> Self {
        self.layers.push(Box::new(l));
        self
    }
    fn run(&self, x: &[f64]) -> Vec<f64> {
        self.layers.iter().fold(x.to_vec(), |a, l| l.forward(&a))
    }
}
#[no_mangle]
pub unsafe extern "C" fn objective(x: *mut f64, n: i32) -> f64 {
    let x = std::slice::from_raw_parts(x, n as usize);
    let w: Vec<Vec<f64>> = (0..x.len())
        .map(|i| x.iter().map(|v| (v * (i + 1) as f64).sin()).collect())
        .collect();
    let net = Net {
        layers: vec![],
        seen: HashMap::new(),
    }
    .add(Dense {
        w: w.clone(),
        b: x.to_vec(),
    })
    .add(Residual {
        inner: Box::new(Dense {
            w,
            b: vec![0.1; x.len()],
        }),
        gate: 0.5,
    })
    .add(Norm { eps: 0.1 });
    let y = net.run(x);
    let len = net.to_string().len() as f64;
    y.iter().enumerate().map(|(i, v)| v * (i + 1) as f64).sum::<f64>() + 1e-3 * len * net.seen.len() as f64
}
