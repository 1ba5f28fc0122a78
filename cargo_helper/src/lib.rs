//! Exact, fast derivatives of C, C++, Fortran and Rust functions, made by a build script.
//!
//! In `build.rs`, in the manner of the `cc` crate:
//!
//! ```no_run
//! use enzyme_build::{Activity, Build, Gradient};
//!
//! Build::new()
//!     .file("src/model.c")
//!     .file("src/forces.f90")
//!     .rust_file("kernels/loss.rs")
//!     .gradient(Gradient::reverse("loss").arg("x", Activity::Dup).arg("n", Activity::Const))
//!     .compile("loss_grad");
//! ```
//!
//! The package is then linked with a static library of `loss` and its derivative, and their declarations are in
//! `OUT_DIR`:
//!
//! ```ignore
//! mod model {
//!     include!(concat!(env!("OUT_DIR"), "/loss_grad.rs"));
//! }
//!
//! pub fn gradient(x: &[f64]) -> (f64, Vec<f64>) {
//!     let mut x_bar = vec![0.0; x.len()]; // adjoints are added to
//!     // SAFETY: both arrays have the length that is passed.
//!     let value = unsafe { model::loss_grad(x.as_ptr(), x_bar.as_mut_ptr(), x.len() as u64) };
//!     (value, x_bar)
//! }
//! ```
//!
//! # What is run
//!
//! The command `enzyme-build` of the Python package of the same name (`pip install enzyme-build`): the one that the
//! variable `ENZYME_BUILD` names, the one in `PATH`, or `python3 -m enzyme_build`. Compilers are those of `CC`, `CXX` and
//! `FC` (or `CC_<target>`, `HOST_CC` …) where they are clang and flang, or what is installed; `rustc` is that of Cargo.
//!
//! # What Cargo is told
//!
//! - the library and the runtimes that it needs (`rustc-link-lib`, `rustc-link-search`);
//! - each source and header (`rerun-if-changed`) and each variable that was read (`rerun-if-env-changed`);
//! - for packages with `links = "name"`, what the build scripts of their users read: `DEP_NAME_ROOT` (`OUT_DIR`),
//!   `DEP_NAME_INCLUDE` (the folder of the C header `<name>.h`) and `DEP_NAME_DECLARATIONS` (the Rust file).
//!
//! Derivatives are optimised also where the package is not: `OPT_LEVEL` counts from 2 on.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

mod declarations;
mod environment;
mod error;
mod gradient;
mod link;
#[cfg(test)]
mod tests;
mod tool;

use environment::Environment;
pub use error::{Error, ErrorKind};
pub use gradient::{Activity, Gradient};
use tool::Tool;

/// Sources and the derivatives of their functions: one static library.
#[derive(Clone, Debug, Default)]
#[must_use = "nothing is built before Build::compile"]
pub struct Build {
    files: Vec<PathBuf>,
    gradients: Vec<Gradient>,
    inactive: Vec<String>,
    words: Vec<OsString>,
    opt_level: Option<u32>,
    builds_crates: bool,
}

impl Build {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A source in C, C++, Fortran or Rust, an object, archive, bitcode or LLVM text; paths are relative to the package.
    ///
    /// Files with rules of the user's own are given in the same way.
    pub fn file(&mut self, path: impl AsRef<Path>) -> &mut Self {
        self.files.push(path.as_ref().to_owned());
        self
    }

    /// Several files.
    pub fn files<P: AsRef<Path>>(&mut self, paths: impl IntoIterator<Item = P>) -> &mut Self {
        for path in paths {
            self.file(path);
        }
        self
    }

    /// A Rust source that is a crate of its own: `extern "C"` and `#[no_mangle]` functions, and modules.
    ///
    /// Its edition is 2021 unless `.flag("--edition=2024")` says otherwise. It may be a module of the package as well.
    pub fn rust_file(&mut self, path: impl AsRef<Path>) -> &mut Self {
        self.file(path)
    }

    /// The folder of a Rust package with such functions in its library, which may depend on other packages.
    pub fn rust_crate(&mut self, folder: impl AsRef<Path>) -> &mut Self {
        self.builds_crates = true;
        self.file(folder.as_ref().join("Cargo.toml"))
    }

    /// A folder of headers (`-I`).
    pub fn include(&mut self, folder: impl AsRef<Path>) -> &mut Self {
        self.word("-I", folder.as_ref())
    }

    /// A macro for C and C++, with or without value.
    pub fn define<'a>(&mut self, name: &str, value: impl Into<Option<&'a str>>) -> &mut Self {
        let text = value.into().map_or_else(|| name.to_owned(), |value| format!("{name}={value}"));
        self.word("-D", text)
    }

    /// A word for the compilers, each of which gets those that it knows: `-std=c11`, `-ffast-math`.
    pub fn flag(&mut self, flag: impl AsRef<std::ffi::OsStr>) -> &mut Self {
        self.word("--compile-arg=", flag)
    }

    /// The level of optimisation, 0 to 3, instead of `OPT_LEVEL`.
    pub fn opt_level(&mut self, level: u32) -> &mut Self {
        self.opt_level = Some(level);
        self
    }

    /// The processor to make code for, as in `-march=`; `native` is this one.
    pub fn target_cpu(&mut self, name: &str) -> &mut Self {
        self.word("--target-cpu=", name)
    }

    /// The library of vector functions for loops with `exp`, `sin` …: `libmvec`.
    pub fn veclib(&mut self, name: &str) -> &mut Self {
        self.word("--veclib=", name)
    }

    /// A function, by its symbol, whose calls have no derivative.
    pub fn inactive(&mut self, symbol: &str) -> &mut Self {
        self.inactive.push(symbol.to_owned());
        self
    }

    /// Guess the types of memory that cannot be proved, with a warning.
    pub fn loose_types(&mut self) -> &mut Self {
        self.word("--loose-types", "")
    }

    /// Differentiate code as it was written, and optimise only afterwards: slower, a baseline to compare with.
    pub fn ad_before_opt(&mut self) -> &mut Self {
        self.word("--ad-before-opt", "")
    }

    /// A derivative to make; it may be called again, for other functions or modes.
    pub fn gradient(&mut self, gradient: Gradient) -> &mut Self {
        self.gradients.push(gradient);
        self
    }

    /// Build the library `lib<name>.a` and the declarations `<name>.rs` in `OUT_DIR`, or stop the build script.
    ///
    /// # Panics
    ///
    /// With cause and remedy, where [`Build::try_compile`] returns an error.
    #[track_caller]
    pub fn compile(&self, name: &str) {
        if let Err(error) = self.try_compile(name) {
            panic!("\n\nenzyme-build: {error}\n\n");
        }
    }

    /// Build the library `lib<name>.a` and the declarations `<name>.rs` in `OUT_DIR`.
    pub fn try_compile(&self, name: &str) -> Result<(), Error> {
        for line in self.build(name, &Environment::of_the_process())? {
            println!("{line}");
        }
        Ok(())
    }

    fn word(&mut self, option: &str, value: impl AsRef<std::ffi::OsStr>) -> &mut Self {
        let mut word = OsString::from(option);
        word.push(value);
        self.words.push(word);
        self
    }

    /// The directives for Cargo of a library that was built.
    fn build(&self, name: &str, environment: &Environment) -> Result<Vec<String>, Error> {
        self.check(name)?;
        let target = host_target(environment)?;
        let folder = PathBuf::from(environment.cargo_variable("OUT_DIR")?);
        let tool = Tool::find(environment)?;
        let variables = self.variables(environment, &target, &folder)?;
        let common = self.common_words(name, environment, &folder)?;

        let mut made = Made { dependencies: self.lock_files(), ..Made::default() };
        for (index, gradient) in self.gradients.iter().enumerate() {
            let part = Part::new(name, index, &folder);
            let mut words: Vec<OsString> = vec!["gradient".into()];
            words.extend(common.iter().cloned());
            words.extend(gradient.words().into_iter().map(OsString::from));
            words.extend(part.words());
            made.warnings.extend(tool.run(gradient.function(), &words, &variables)?);
            made.add(&part)?;
        }
        made.write(name, &folder)?;
        Ok(made.directives(name, &folder, tool.file(), &environment.asked()))
    }

    /// What can be seen to be wrong before anything runs.
    fn check(&self, name: &str) -> Result<(), Error> {
        let wrong = |message: String, hint: &str| Err(Error::new(ErrorKind::Request, message, hint));
        if name.is_empty() || !name.chars().all(|letter| letter.is_alphanumeric() || "_-+.".contains(letter)) {
            return wrong(
                format!("'{name}' is no name of a library"),
                "write it as in compile(\"loss_grad\"), without path",
            );
        }
        if self.gradients.is_empty() {
            return wrong(format!("'{name}' has no derivative"), "add .gradient(Gradient::reverse(\"function\"))");
        }
        if self.files.is_empty() {
            return wrong(
                format!("'{name}' has no sources"),
                "add .file(\"src/model.c\") with the file that has the function",
            );
        }
        if let Some(missing) = self.files.iter().find(|file| !file.exists()) {
            let message = format!("there is no file '{}'", missing.display());
            return wrong(message, "paths are relative to the package's folder, where Cargo.toml is");
        }
        Ok(())
    }

    /// The lock files of crates, as far as they are there: one that a build writes must not start the next build.
    fn lock_files(&self) -> Vec<PathBuf> {
        let manifests = self.files.iter().filter(|file| file.ends_with("Cargo.toml"));
        manifests.map(|file| file.with_file_name("Cargo.lock")).filter(|file| file.exists()).collect()
    }

    /// The words that all derivatives share.
    fn common_words(&self, name: &str, environment: &Environment, folder: &Path) -> Result<Vec<OsString>, Error> {
        let mut words: Vec<OsString> = self.files.iter().map(|file| file.into()).collect();
        if !self.inactive.is_empty() {
            let file = folder.join(format!("{name}_inactive.ll"));
            write(&file, &registration(&self.inactive))?;
            words.push(file.into());
        }
        let of_the_profile = if environment.cargo_variable("OPT_LEVEL")? == "3" { 3 } else { 2 };
        words.push(format!("-O{}", self.opt_level.unwrap_or(of_the_profile)).into());
        words.extend(self.words.iter().cloned());
        Ok(words)
    }

    /// The compilers of this target, by the variables that `enzyme-build` reads, and where crates are built.
    fn variables(
        &self,
        environment: &Environment,
        target: &str,
        folder: &Path,
    ) -> Result<Vec<(&'static str, OsString)>, Error> {
        let mut variables = Vec::new();
        for name in ["CC", "CXX", "FC"] {
            if let Some(compiler) = environment.for_target(name, target) {
                variables.push((name, compiler));
            }
            environment.get(&format!("ENZYME_{name}"));
        }
        environment.get("ENZYME_RUSTC");
        variables.push(("RUSTC", environment.cargo_variable("RUSTC")?.into()));
        if self.builds_crates {
            variables.push(("CARGO_TARGET_DIR", folder.into()));
        }
        Ok(variables)
    }
}

/// The files of one derivative.
struct Part {
    library: String,
    archive: PathBuf,
    header: PathBuf,
    bindings: PathBuf,
    depfile: PathBuf,
    link_flags: PathBuf,
}

impl Part {
    fn new(name: &str, index: usize, folder: &Path) -> Self {
        let library = if index == 0 { name.to_owned() } else { format!("{name}_{}", index + 1) };
        let file = |ending: &str| folder.join(format!("{library}.part.{ending}"));
        Self {
            archive: folder.join(format!("lib{library}.a")),
            header: file("h"),
            bindings: file("rs"),
            depfile: file("d"),
            link_flags: file("link"),
            library,
        }
    }

    fn words(&self) -> Vec<OsString> {
        let files = [
            ("--output=", &self.archive),
            ("--header=", &self.header),
            ("--rust-bindings=", &self.bindings),
            ("--depfile=", &self.depfile),
            ("--link-flags=", &self.link_flags),
        ];
        files
            .iter()
            .map(|(option, file)| {
                let mut word = OsString::from(option);
                word.push(file);
                word
            })
            .collect()
    }
}

/// What was built so far.
#[derive(Default)]
struct Made {
    libraries: Vec<String>,
    link_words: Vec<String>,
    headers: Vec<String>,
    bindings: Vec<String>,
    dependencies: Vec<PathBuf>,
    warnings: Vec<String>,
}

impl Made {
    fn add(&mut self, part: &Part) -> Result<(), Error> {
        self.libraries.push(part.library.clone());
        self.headers.push(read(&part.header)?);
        self.bindings.push(read(&part.bindings)?);
        for line in link::directives(&read(&part.link_flags)?) {
            if !self.link_words.contains(&line) {
                self.link_words.push(line);
            }
        }
        for file in tool::prerequisites(&read(&part.depfile)?) {
            if !self.dependencies.contains(&file) {
                self.dependencies.push(file);
            }
        }
        Ok(())
    }

    /// The files for the users: declarations and the header, each of all derivatives.
    fn write(&self, name: &str, folder: &Path) -> Result<(), Error> {
        let declared = declarations::merged(&self.bindings).map_err(|twice| {
            let hint = format!("give one of them another name: .symbol(\"{twice}_2\")");
            Error::new(ErrorKind::Request, format!("two derivatives have the name '{twice}'"), hint)
        })?;
        write(&folder.join(format!("{name}.rs")), &declared)?;
        // Each has an include guard of its own.
        write(&folder.join("include").join(format!("{name}.h")), &self.headers.concat())
    }

    fn directives(&self, name: &str, folder: &Path, tool: Option<&Path>, variables: &[String]) -> Vec<String> {
        let mut lines = vec![format!("cargo:rustc-link-search=native={}", folder.display())];
        lines.extend(self.libraries.iter().map(|library| format!("cargo:rustc-link-lib=static={library}")));
        lines.extend(self.link_words.iter().cloned());
        let files = self.dependencies.iter().map(PathBuf::as_path).chain(tool);
        let own = files.filter(|file| !file.starts_with(folder));
        lines.extend(own.map(|file| format!("cargo:rerun-if-changed={}", file.display())));
        lines.extend(variables.iter().map(|variable| format!("cargo:rerun-if-env-changed={variable}")));
        lines.push(format!("cargo:root={}", folder.display()));
        lines.push(format!("cargo:include={}", folder.join("include").display()));
        lines.push(format!("cargo:declarations={}", folder.join(format!("{name}.rs")).display()));
        lines.extend(self.warnings.iter().map(|line| format!("cargo:warning={line}")));
        lines
    }
}

/// The target, which has to be the machine that builds: there are no other derivatives.
fn host_target(environment: &Environment) -> Result<String, Error> {
    let (host, target) = (environment.cargo_variable("HOST")?, environment.cargo_variable("TARGET")?);
    if host == target {
        return Ok(target);
    }
    Err(Error::new(
        ErrorKind::Environment,
        format!("derivatives can only be built for the machine that builds ({host}), not for {target}"),
        "leave out --target, or build on that machine",
    ))
}

/// In LLVM's language, which needs no types, and fits every language.
fn registration(symbols: &[String]) -> String {
    let declared: String = symbols.iter().map(|symbol| format!("declare void @\"{symbol}\"()\n")).collect();
    let pointers: Vec<_> = symbols.iter().map(|symbol| format!("ptr @\"{symbol}\"")).collect();
    let count = symbols.len();
    format!("{declared}@__enzyme_inactivefn_of_build_script = global [{count} x ptr] [{}]\n", pointers.join(", "))
}

fn read(file: &Path) -> Result<String, Error> {
    fs::read_to_string(file).map_err(|problem| {
        let message = format!("cannot read '{}': {problem}", file.display());
        Error::new(ErrorKind::File, message, "enzyme-build should have written it: do both have the same version?")
    })
}

fn write(file: &Path, text: &str) -> Result<(), Error> {
    let done = file.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(file, text));
    done.map_err(|problem| {
        let message = format!("cannot write '{}': {problem}", file.display());
        Error::new(ErrorKind::File, message, "OUT_DIR has to be a folder that can be written to")
    })
}
