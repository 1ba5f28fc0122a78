fn main() {
    let x = [0.1, 0.2, 0.3];
    println!("{:.6} {:.6?} {:.6}", model::decay(&x), model::gradient(&x), model::tangent(&x, &[1.0, 1.0, 1.0]));
}
