//! Moves the inner ends of a chain to where no force is left: down the gradient of the energy.

use springs::{energy, energy_and_gradient};

fn main() {
    let mut x = [0.0, 0.2, 2.9, 3.6];
    for _ in 0..500 {
        let (_, x_bar, _) = energy_and_gradient(&x, 2.0);
        for i in 1..3 {
            x[i] -= 0.1 * x_bar[i];
        }
    }
    println!("ends at {:.3?}, energy {:.3}", x, energy(&x, 2.0));
}
