//! What the model's build script hands on is there.

use std::{env, fs, path::Path};

fn main() {
    let [root, include, declarations] = ["ROOT", "INCLUDE", "DECLARATIONS"].map(|name| env::var(format!("DEP_MODEL_{name}")).unwrap());
    assert!(Path::new(&root).join("libdecay.a").exists());
    let header = fs::read_to_string(Path::new(&include).join("decay.h")).unwrap();
    assert!(header.contains("double decay_grad(const double *x, double *x_bar, int32_t n);"), "{header}");
    assert!(fs::read_to_string(declarations).unwrap().contains("pub fn decay_jvp("));
    println!("cargo:rerun-if-changed=build.rs");
}
