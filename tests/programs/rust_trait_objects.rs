// check: array n=6,3
// Box<dyn Trait> of several types in a vector, with default methods and a trait that takes another.
trait Layer {
    fn apply(&self, x: &mut [f64]);
    fn penalty(&self) -> f64 {
        0.0
    }
}

struct Scale(f64);
struct Shift {
    by: Vec<f64>,
}
struct Chain {
    parts: Vec<Box<dyn Layer>>,
}

impl Layer for Scale {
    fn apply(&self, x: &mut [f64]) {
        x.iter_mut().for_each(|v| *v *= self.0);
    }
    fn penalty(&self) -> f64 {
        self.0 * self.0
    }
}

impl Layer for Shift {
    fn apply(&self, x: &mut [f64]) {
        for (v, b) in x.iter_mut().zip(&self.by) {
            *v = (*v + b).tanh();
        }
    }
}

impl Layer for Chain {
    fn apply(&self, x: &mut [f64]) {
        for part in &self.parts {
            part.apply(x);
        }
    }
    fn penalty(&self) -> f64 {
        self.parts.iter().map(|part| part.penalty()).sum()
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let inner = Chain { parts: vec![Box::new(Scale(x[1])), Box::new(Shift { by: x.to_vec() })] };
    let model: Vec<Box<dyn Layer>> = vec![Box::new(Scale(x[0])), Box::new(inner), Box::new(Scale(3.0))];
    let mut state: Vec<f64> = x.iter().map(|v| 1.0 / v).collect();
    for layer in model.iter() {
        layer.apply(&mut state);
    }
    state.iter().sum::<f64>() + model.iter().map(|layer| layer.penalty()).sum::<f64>()
}
