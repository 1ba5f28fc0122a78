use enzyme_build::{Build, Gradient};

fn main() {
    Build::new().rust_crate("kernel").gradient(Gradient::reverse("loss")).compile("loss_grad");
}
