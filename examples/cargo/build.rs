use enzyme_build::{Build, Gradient};

fn main() {
    Build::new()
        .file("model/springs.c")
        .rust_file("kernels/spring.rs")
        .define("REST_LENGTH", "1.0")
        .gradient(Gradient::reverse("energy(x[n], n, k)"))
        .compile("energy_grad");
}
