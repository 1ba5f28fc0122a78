//! The derivative that is asked for: a function, a mode, and what is done with each argument.

/// How an argument takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// It has no derivative: no shadow follows it.
    Const,
    /// A pointer whose shadow follows it; adjoints are added to the shadow.
    Dup,
    /// Like `Dup`, for an argument whose own value is not needed afterwards.
    DupNoNeed,
    /// A number that is passed by value: a pointer to its adjoint follows it.
    Out,
}

impl Activity {
    fn word(self) -> &'static str {
        match self {
            Self::Const => "const",
            Self::Dup => "dup",
            Self::DupNoNeed => "dupnoneed",
            Self::Out => "out",
        }
    }
}

/// A derivative of one function.
///
/// The function is named as in the source: `energy`, `springs::energy` of a Fortran module, a C++ namespace or a Rust
/// module, or with its shapes, `energy(x[n], n, k)`, which documentation and declarations then have as well. In Rust
/// it has to be `extern "C"` and `#[no_mangle]`. What is not said about its arguments follows from their types: floating
/// point numbers and pointers to them are active.
///
/// ```
/// use enzyme_build::{Activity, Gradient};
///
/// let gradient = Gradient::reverse("loss").arg("x", Activity::Dup).arg("n", Activity::Const);
/// let directions = Gradient::forward("loss").width(4).symbol("loss_jvp4");
/// ```
#[derive(Clone, Debug)]
#[must_use = "pass it to Build::gradient"]
pub struct Gradient {
    function: String,
    mode: &'static str,
    words: Vec<String>,
}

impl Gradient {
    /// `f_grad`: the adjoint of each active argument behind it; the value of the function is returned.
    pub fn reverse(function: impl Into<String>) -> Self {
        Self::new(function.into(), "reverse")
    }

    /// `f_jvp`: a tangent behind each active argument, and the tangent of the result behind them all.
    pub fn forward(function: impl Into<String>) -> Self {
        Self::new(function.into(), "forward")
    }

    /// `f_augmented`, which runs the function and keeps a tape, and `f_reverse`, which uses and frees it.
    pub fn split(function: impl Into<String>) -> Self {
        Self::new(function.into(), "split")
    }

    /// `f_hvp`: the gradient, and the Hessian times a vector.
    pub fn hvp(function: impl Into<String>) -> Self {
        Self::new(function.into(), "hvp")
    }

    fn new(function: String, mode: &'static str) -> Self {
        Self { function, mode, words: Vec::new() }
    }

    /// What is done with the argument `name`, instead of what its type says.
    pub fn arg(self, name: &str, activity: Activity) -> Self {
        self.with(format!("--arg={name}:{}", activity.word()))
    }

    /// So many directions at once: each shadow is so many times as long.
    pub fn width(self, directions: usize) -> Self {
        self.with(format!("--width={directions}"))
    }

    /// Take the seed of the result as an argument, instead of 1.
    pub fn seed(self) -> Self {
        self.with("--seed".into())
    }

    /// Return nothing instead of the function's own result.
    pub fn no_primal(self) -> Self {
        self.with("--no-primal".into())
    }

    /// The name of the derivative; of [`Gradient::split`] the beginning of both names.
    pub fn symbol(self, name: &str) -> Self {
        self.with(format!("--symbol={name}"))
    }

    fn with(mut self, word: String) -> Self {
        self.words.push(word);
        self
    }

    pub(crate) fn function(&self) -> &str {
        &self.function
    }

    /// The words of `enzyme-build gradient` that say all this.
    pub(crate) fn words(&self) -> Vec<String> {
        let first = [format!("--function={}", self.function), format!("--mode={}", self.mode)];
        first.into_iter().chain(self.words.iter().cloned()).collect()
    }
}
