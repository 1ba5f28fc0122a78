//! Builds with a program in place of `enzyme-build` that records what it is told.

use std::collections::HashMap;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::*;

const HOST: &str = "x86_64-unknown-linux-gnu";

/// Writes its words and the compilers of its environment to `recorded`, and what is asked for as files.
const TOOL: &str = r#"#!/bin/sh
folder=$(dirname "$0")
{ for word; do echo "$word"; done; echo "CC=$CC"; echo "RUSTC=$RUSTC"; echo "TARGET_DIR=$CARGO_TARGET_DIR"; echo; } >>"$folder/recorded"
[ "$1" = --version ] && exit 0
[ ! -e "$folder/broken" ] || { echo "model.c:1:2: error: no derivative" >&2; exit 3; }
echo "model.c:7:8: warning: rounding" >&2
for word; do
  case $word in
    --symbol=*) name=${word#*=} ;;
    --header=*) echo "/* $word */" >"${word#*=}" ;;
    --rust-bindings=*) printf '// Made.\nunsafe extern "C" {\n    /// The function f.\n    pub fn f();\n\n    pub fn %s();\n}\n' "${name:-f_grad}" >"${word#*=}" ;;
    --depfile=*) printf 'out: src/model.c \\\n  src/my\\ headers/model.h\n' >"${word#*=}" ;;
    --link-flags=*) printf '%s\n' -lstdc++ -lm >"${word#*=}" ;;
  esac
done
"#;

/// A folder with the recording tool in place of a package's `OUT_DIR`.
struct Sandbox {
    _alone: MutexGuard<'static, ()>,
    folder: PathBuf,
    variables: HashMap<String, OsString>,
}

impl Sandbox {
    fn new() -> Self {
        // A program that is being written while another thread starts one is busy, and does not start itself.
        static RUNNING: Mutex<()> = Mutex::new(());
        let alone = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = std::env::temp_dir().join(format!("enzyme-build-{}", std::process::id()));
        fs::create_dir_all(folder.join("bin")).unwrap();
        fs::create_dir_all(folder.join("out")).unwrap();
        let mut sandbox = Self { _alone: alone, folder, variables: HashMap::new() };
        sandbox.write("model.c", "double f(double x) { return x * x; }");
        sandbox.write("bin/enzyme-build", TOOL);
        fs::set_permissions(sandbox.path("bin/enzyme-build"), fs::Permissions::from_mode(0o755)).unwrap();
        for (name, value) in [("HOST", HOST), ("TARGET", HOST), ("OPT_LEVEL", "0"), ("RUSTC", "/cargo/rustc")] {
            sandbox.set(name, value);
        }
        sandbox.set("OUT_DIR", sandbox.path("out"));
        sandbox.set("PATH", sandbox.path("bin"));
        sandbox
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn set(&mut self, name: &str, value: impl Into<OsString>) {
        self.variables.insert(name.into(), value.into());
    }

    fn build(&self, build: &Build) -> Result<Vec<String>, Error> {
        let variables = self.variables.clone();
        build.build("model_grad", &Environment::new(move |name| variables.get(name).cloned()))
    }

    /// The words and variables of each time the tool was run.
    fn runs(&self) -> Vec<Vec<String>> {
        let text = fs::read_to_string(self.path("bin/recorded")).unwrap_or_default();
        text.split_terminator("\n\n").map(|run| run.lines().map(str::to_owned).collect()).collect()
    }

    fn run(&self) -> Vec<String> {
        let mut runs = self.runs();
        assert_eq!(runs.len(), 1, "{runs:?}");
        runs.remove(0)
    }

    fn model(&self) -> Build {
        let mut build = Build::new();
        build.file(self.path("model.c")).gradient(Gradient::reverse("f"));
        build
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn has(words: &[String], word: impl AsRef<Path>) -> bool {
    words.iter().any(|one| Path::new(one) == word.as_ref())
}

#[test]
fn what_is_asked_for_becomes_one_command() {
    let sandbox = Sandbox::new();
    let gradient = Gradient::forward("f(x[n], n)").arg("x", Activity::Dup).arg("n", Activity::Const).width(2);
    let mut build = sandbox.model();
    build.gradients.clear();
    build
        .gradient(gradient.seed().no_primal().symbol("g"))
        .include("my headers")
        .define("N", "3")
        .define("DEBUG", None);
    build.flag("-std=c11").target_cpu("native").veclib("libmvec").loose_types();
    sandbox.build(&build).unwrap();
    let words = sandbox.run();
    assert_eq!(words[0], "gradient");
    for word in [
        "-O2",
        "-Imy headers",
        "-DN=3",
        "-DDEBUG",
        "--compile-arg=-std=c11",
        "--target-cpu=native",
        "--veclib=libmvec",
        "--loose-types",
        "--function=f(x[n], n)",
        "--mode=forward",
        "--arg=x:dup",
        "--arg=n:const",
        "--width=2",
        "--seed",
        "--no-primal",
        "--symbol=g",
    ] {
        assert!(has(&words, word), "{word} is not in {words:?}");
    }
    assert!(has(&words, sandbox.path("model.c")));
    assert!(has(&words, format!("--output={}", sandbox.path("out/libmodel_grad.a").display())));
}

#[test]
fn each_mode_and_activity_has_its_word() {
    let modes = [Gradient::reverse("f"), Gradient::forward("f"), Gradient::split("f"), Gradient::hvp("f")];
    assert_eq!(
        modes.map(|gradient| gradient.words()[1].clone()),
        ["--mode=reverse", "--mode=forward", "--mode=split", "--mode=hvp"]
    );
    let words = Gradient::reverse("f").arg("x", Activity::DupNoNeed).arg("y", Activity::Out).words();
    assert_eq!(words[2..], ["--arg=x:dupnoneed", "--arg=y:out"]);
}

#[test]
fn cargo_is_told_what_to_link_and_what_was_read() {
    let sandbox = Sandbox::new();
    let told = sandbox.build(&sandbox.model()).unwrap();
    let out = sandbox.path("out");
    for line in [
        format!("cargo:rustc-link-search=native={}", out.display()),
        "cargo:rustc-link-lib=static=model_grad".into(),
        "cargo:rustc-link-lib=stdc++".into(),
        "cargo:rustc-link-lib=m".into(),
        "cargo:rerun-if-changed=src/model.c".into(),
        "cargo:rerun-if-changed=src/my headers/model.h".into(),
        format!("cargo:rerun-if-changed={}", sandbox.path("bin/enzyme-build").display()),
        "cargo:rerun-if-env-changed=ENZYME_BUILD".into(),
        format!("cargo:rerun-if-env-changed=CC_{HOST}"),
        "cargo:rerun-if-env-changed=FC".into(),
        format!("cargo:root={}", out.display()),
        format!("cargo:include={}", out.join("include").display()),
        format!("cargo:declarations={}", out.join("model_grad.rs").display()),
        "cargo:warning=model.c:7:8: warning: rounding".into(),
    ] {
        assert!(told.contains(&line), "{line} is not in {told:#?}");
    }
    let library = told.iter().position(|line| line.ends_with("static=model_grad"));
    assert!(library < told.iter().position(|line| line.ends_with("=stdc++")), "linkers read from left to right");
}

#[test]
fn several_derivatives_are_one_file_of_declarations_and_a_library_each() {
    let sandbox = Sandbox::new();
    let mut build = sandbox.model();
    build.gradient(Gradient::forward("f").symbol("f_jvp"));
    let told = sandbox.build(&build).unwrap();
    assert_eq!(sandbox.runs().len(), 2);
    assert_eq!(told.iter().filter(|line| line.contains("link-lib=static=")).count(), 2);
    assert_eq!(told.iter().filter(|line| line.ends_with("link-lib=m")).count(), 1);
    let declared = fs::read_to_string(sandbox.path("out/model_grad.rs")).unwrap();
    assert_eq!(["pub fn f(", "pub fn f_grad(", "pub fn f_jvp("].map(|name| declared.matches(name).count()), [1, 1, 1]);
    assert_eq!(fs::read_to_string(sandbox.path("out/include/model_grad.h")).unwrap().lines().count(), 2);
}

#[test]
fn two_derivatives_of_one_name_are_refused() {
    let sandbox = Sandbox::new();
    let mut build = sandbox.model();
    build.gradient(Gradient::reverse("f").seed());
    let error = sandbox.build(&build).unwrap_err();
    assert_eq!(
        error.to_string(),
        "two derivatives have the name 'f_grad'\n  hint: give one of them another name: .symbol(\"f_grad_2\")"
    );
}

#[test]
fn compilers_of_the_target_rank_first() {
    let mut sandbox = Sandbox::new();
    sandbox.set("CC", "any-cc");
    sandbox.set(&format!("CC_{}", HOST.replace('-', "_")), "target-cc");
    sandbox.build(&sandbox.model()).unwrap();
    let words = sandbox.run();
    assert!(has(&words, "CC=target-cc"), "{words:?}");
    assert!(has(&words, "RUSTC=/cargo/rustc"), "{words:?}");
}

#[test]
fn levels_of_optimisation() {
    for (profile, own, expected) in [("0", None, "-O2"), ("s", None, "-O2"), ("3", None, "-O3"), ("3", Some(1), "-O1")]
    {
        let mut sandbox = Sandbox::new();
        sandbox.set("OPT_LEVEL", profile);
        let mut build = sandbox.model();
        if let Some(level) = own {
            build.opt_level(level);
        }
        sandbox.build(&build).unwrap();
        assert!(has(&sandbox.run(), expected), "{profile} {own:?}");
    }
}

#[test]
fn crates_are_built_in_the_folder_of_the_script() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("kernel")).unwrap();
    for name in ["Cargo.toml", "Cargo.lock"] {
        sandbox.write(&format!("kernel/{name}"), "");
    }
    let mut build = Build::new();
    let told = sandbox.build(build.rust_crate(sandbox.path("kernel")).gradient(Gradient::reverse("f"))).unwrap();
    let words = sandbox.run();
    assert!(has(&words, sandbox.path("kernel/Cargo.toml")), "{words:?}");
    assert!(has(&words, format!("TARGET_DIR={}", sandbox.path("out").display())), "{words:?}");
    assert!(told.contains(&format!("cargo:rerun-if-changed={}", sandbox.path("kernel/Cargo.lock").display())));
}

#[test]
fn functions_without_derivative_are_registered() {
    let sandbox = Sandbox::new();
    let mut build = sandbox.model();
    build.inactive("count_calls").inactive("log_line");
    let told = sandbox.build(&build).unwrap();
    let file = sandbox.path("out/model_grad_inactive.ll");
    assert!(has(&sandbox.run(), &file));
    assert!(fs::read_to_string(&file).unwrap().ends_with(
        "@__enzyme_inactivefn_of_build_script = global [2 x ptr] [ptr @\"count_calls\", ptr @\"log_line\"]\n"
    ));
    assert!(!told.contains(&format!("cargo:rerun-if-changed={}", file.display())), "it is written each time");
}

#[test]
fn the_tool_is_what_enzyme_build_says_before_the_one_in_path() {
    let mut sandbox = Sandbox::new();
    sandbox.write("other", &TOOL.replace("recorded", "recorded-by-other"));
    sandbox.set("ENZYME_BUILD", format!("/bin/sh {}", sandbox.path("other").display()));
    sandbox.build(&sandbox.model()).unwrap();
    assert!(sandbox.runs().is_empty());
    assert!(fs::read_to_string(sandbox.path("recorded-by-other")).unwrap().contains("--function=f"));
}

fn failure(sandbox: &Sandbox, build: &Build) -> (ErrorKind, String) {
    let error = sandbox.build(build).unwrap_err();
    assert_eq!(error.to_string(), format!("{}\n  hint: {}", error.message(), error.hint()));
    (error.kind(), error.to_string().replace(&sandbox.folder.display().to_string(), "~"))
}

#[test]
fn mistakes_in_the_script() {
    let sandbox = Sandbox::new();
    let mut missing = sandbox.model();
    missing.file("no/such/file.f90");
    for (build, message) in [
        (
            Build::new().file("model.c").clone(),
            "'model_grad' has no derivative\n  hint: add .gradient(Gradient::reverse(\"function\"))",
        ),
        (
            Build::new().gradient(Gradient::reverse("f")).clone(),
            "'model_grad' has no sources\n  hint: add .file(\"src/model.c\") with the file that has the function",
        ),
        (
            missing,
            "there is no file 'no/such/file.f90'\n  hint: paths are relative to the package's folder, where Cargo.toml is",
        ),
    ] {
        assert_eq!(failure(&sandbox, &build), (ErrorKind::Request, message.to_owned()));
    }
    let error = sandbox.model().try_compile("out/libmodel").unwrap_err();
    assert_eq!(error.message(), "'out/libmodel' is no name of a library");
    assert!(sandbox.runs().is_empty());
}

#[test]
fn another_target_is_refused() {
    let mut sandbox = Sandbox::new();
    sandbox.set("TARGET", "aarch64-unknown-linux-gnu");
    let (kind, text) = failure(&sandbox, &sandbox.model());
    assert_eq!(kind, ErrorKind::Environment);
    assert_eq!(
        text,
        "derivatives can only be built for the machine that builds (x86_64-unknown-linux-gnu), not for \
         aarch64-unknown-linux-gnu\n  hint: leave out --target, or build on that machine"
    );
}

#[test]
fn outside_of_cargo() {
    let mut sandbox = Sandbox::new();
    sandbox.variables.remove("OUT_DIR");
    let expected = "the environment variable OUT_DIR is not set\n  hint: call this from a build script (build.rs), which Cargo runs";
    assert_eq!(failure(&sandbox, &sandbox.model()), (ErrorKind::Environment, expected.to_owned()));
}

#[test]
fn a_tool_that_does_not_run() {
    let mut sandbox = Sandbox::new();
    sandbox.set("ENZYME_BUILD", "/no/such/enzyme-build");
    let (kind, text) = failure(&sandbox, &sandbox.model());
    assert_eq!(kind, ErrorKind::ToolNotFound);
    assert!(
        text.starts_with(
            "ENZYME_BUILD is '/no/such/enzyme-build', which does not run\n  hint: pip install enzyme-build"
        )
    );
}

#[test]
fn what_the_tool_says_is_in_the_error() {
    let sandbox = Sandbox::new();
    sandbox.write("bin/broken", "");
    let (kind, text) = failure(&sandbox, &sandbox.model());
    assert_eq!(kind, ErrorKind::ToolFailed);
    let start = "enzyme-build could not differentiate 'f' (exit status: 3)\nmodel.c:1:2: error: no derivative\n  \
                 hint: to run it by hand:\n    ~/bin/enzyme-build gradient ~/model.c -O2";
    assert!(text.starts_with(start), "{text}");
}

#[test]
#[should_panic(expected = "enzyme-build: 'loss' has no derivative\n  hint: add .gradient(")]
fn compile_stops_the_build_script() {
    Build::new().file("model.c").compile("loss");
}
