// check: array n=20 valgrind=no
// A small neural network: layers of matrices, activations as function pointers and enums, loss over samples.
// (LLVM asks before a loop whether a layer has a function of its own: of bits that nobody set, which valgrind reports.)
#[derive(Clone, Copy)]
enum Activation {
    Tanh,
    Relu,
    Custom(fn(f64) -> f64),
}

impl Activation {
    fn apply(self, v: f64) -> f64 {
        match self {
            Activation::Tanh => v.tanh(),
            Activation::Relu => v.max(0.0),
            Activation::Custom(f) => f(v),
        }
    }
}

fn swish(v: f64) -> f64 {
    v / (1.0 + (-v).exp())
}

struct Dense<'a> {
    weights: &'a [f64],
    inputs: usize,
    activation: Activation,
}

impl Dense<'_> {
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        self.weights
            .chunks_exact(self.inputs + 1)
            .map(|row| {
                let (bias, weights) = row.split_last().unwrap();
                self.activation.apply(bias + weights.iter().zip(x).map(|(w, v)| w * v).sum::<f64>())
            })
            .collect()
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let parameters = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let (first, rest) = parameters.split_at(9);
    let (second, last) = rest.split_at(8);
    let layers = [
        Dense { weights: first, inputs: 2, activation: Activation::Tanh },
        Dense { weights: second, inputs: 3, activation: Activation::Custom(swish) },
        Dense { weights: last, inputs: 2, activation: Activation::Relu },
    ];
    let samples = [([0.1, 0.9], 1.0), ([0.4, -0.3], 0.0), ([-0.7, 0.2], 0.5)];
    samples
        .iter()
        .map(|(input, target)| {
            let out = layers.iter().fold(input.to_vec(), |state, layer| layer.forward(&state));
            (out[0] - target).powi(2)
        })
        .sum::<f64>()
        / samples.len() as f64
}
