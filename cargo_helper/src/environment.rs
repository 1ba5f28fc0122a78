//! What Cargo and the user tell by environment variables, and which of them a build depends on.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;

use crate::error::{Error, ErrorKind};

type Lookup = Box<dyn Fn(&str) -> Option<OsString>>;

/// The only door to environment variables: it remembers which ones were asked for.
pub(crate) struct Environment {
    lookup: Lookup,
    asked: RefCell<BTreeSet<String>>,
}

impl Environment {
    pub(crate) fn of_the_process() -> Self {
        Self::new(|name| std::env::var_os(name))
    }

    pub(crate) fn new(lookup: impl Fn(&str) -> Option<OsString> + 'static) -> Self {
        Self { lookup: Box::new(lookup), asked: RefCell::default() }
    }

    /// The user's variables that were asked for so far.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.borrow().iter().cloned().collect()
    }

    /// A variable that Cargo sets for build scripts: it runs the script again by itself when one changes.
    pub(crate) fn cargo_variable(&self, name: &str) -> Result<String, Error> {
        let value = (self.lookup)(name).and_then(|value| value.into_string().ok());
        value.filter(|text| !text.is_empty()).ok_or_else(|| {
            Error::new(
                ErrorKind::Environment,
                format!("the environment variable {name} is not set"),
                "call this from a build script (build.rs), which Cargo runs",
            )
        })
    }

    /// A variable of the user's; empty is as good as missing.
    pub(crate) fn get(&self, name: &str) -> Option<OsString> {
        self.asked.borrow_mut().insert(name.to_owned());
        (self.lookup)(name).filter(|value| !value.is_empty())
    }

    /// A variable that may be set for one target: `CC_<target>`, the same with underscores, `HOST_CC`, `CC`.
    ///
    /// The target is always the host here.
    pub(crate) fn for_target(&self, name: &str, target: &str) -> Option<OsString> {
        let underscored = target.replace('-', "_");
        let names =
            [format!("{name}_{target}"), format!("{name}_{underscored}"), format!("HOST_{name}"), name.to_owned()];
        // Each is asked for, so that setting one which ranks higher builds again.
        names.map(|one| self.get(&one)).into_iter().flatten().next()
    }

    /// The folders of `PATH`.
    pub(crate) fn path(&self) -> Vec<PathBuf> {
        (self.lookup)("PATH").map(|text| std::env::split_paths(&text).collect()).unwrap_or_default()
    }
}
