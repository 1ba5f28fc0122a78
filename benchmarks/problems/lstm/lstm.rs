// lstm.c in Rust.
use std::slice::from_raw_parts;

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// One layer: `input` is what it gets, `hidden` and `cell` are its state.
fn layer(weight: &[f64], bias: &[f64], input: &[f64], hidden: &mut [f64], cell: &mut [f64]) {
    let b = input.len();
    for i in 0..b {
        let forget = sigmoid(input[i] * weight[i] + bias[i]);
        let ingate = sigmoid(hidden[i] * weight[b + i] + bias[b + i]);
        let outgate = sigmoid(input[i] * weight[2 * b + i] + bias[2 * b + i]);
        let change = (hidden[i] * weight[3 * b + i] + bias[3 * b + i]).tanh();
        cell[i] = cell[i] * forget + ingate * change;
        hidden[i] = outgate * cell[i].tanh();
    }
}

#[cfg_attr(not(differentiated), export_name = "lstm_objective")]
#[cfg_attr(differentiated, export_name = "lstm_objective_differentiated")]
pub unsafe extern "C" fn objective(
    l: i32, b: i32, c: i32, main: *const f64, extra: *const f64, state: *const f64, sequence: *const f64,
) -> f64 {
    let (l, b, c) = (l as usize, b as usize, c as usize);
    let (main, extra) = (from_raw_parts(main, l * 8 * b), from_raw_parts(extra, 3 * b));
    let mut now = from_raw_parts(state, 2 * l * b).to_vec();
    let sequence: Vec<&[f64]> = from_raw_parts(sequence, c * b).chunks_exact(b).collect();
    let mut input = vec![0.0; b];
    let mut total = 0.0;
    for pair in sequence.windows(2) {
        for i in 0..b {
            input[i] = pair[0][i] * extra[i];
        }
        for (weights, state) in main.chunks_exact(8 * b).zip(now.chunks_exact_mut(2 * b)) {
            let (weight, bias) = weights.split_at(4 * b);
            let (hidden, cell) = state.split_at_mut(b);
            layer(weight, bias, &input, hidden, cell);
            input.copy_from_slice(hidden);
        }
        let mut sum = 2.0;
        for i in 0..b {
            input[i] = input[i] * extra[b + i] + extra[2 * b + i];
            sum += input[i].exp();
        }
        let lse = f64::ln(sum);
        total += pair[1].iter().zip(&input).map(|(wanted, v)| wanted * (v - lse)).sum::<f64>();
    }
    -total / ((c - 1) * b) as f64
}
