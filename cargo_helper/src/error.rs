//! What went wrong in a build script, and what to do about it.

use std::fmt;

/// Which part went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The build script asks for something that cannot be.
    Request,
    /// A variable that Cargo sets for build scripts is missing, or has a value that cannot be used.
    Environment,
    /// The command `enzyme-build` was not found.
    ToolNotFound,
    /// The command `enzyme-build` ran and failed: its messages are part of the error.
    ToolFailed,
    /// A file could not be read or written.
    File,
}

/// Cause and remedy of a failed build.
#[derive(Clone, Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    hint: String,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: hint.into() }
    }

    /// Which part went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The cause.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The remedy.
    pub fn hint(&self) -> &str {
        &self.hint
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}\n  hint: {}", self.message, self.hint)
    }
}

impl std::error::Error for Error {}
