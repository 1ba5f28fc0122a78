use enzyme_build::{Activity, Build, Gradient};

fn main() {
    Build::new()
        .file("sources/decay.cpp")
        .file("sources/weights.f90")
        .include("private headers")
        .define("SCALED", None)
        .flag("-std=c++17")
        .inactive("note")
        .gradient(Gradient::reverse("decay(x[n], n)").arg("x", Activity::Dup))
        .gradient(Gradient::forward("decay(x[n], n)"))
        .compile("decay");
}
