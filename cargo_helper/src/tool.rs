//! The command `enzyme-build`: finding it, running it, and saying what failed.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::environment::Environment;
use crate::error::{Error, ErrorKind};

const INSTALL: &str = "pip install enzyme-build, or set ENZYME_BUILD to the command (a path, or words as in \
                       `python3 -m enzyme_build`)";

/// Under `cargo clippy` the first would have crates checked instead of compiled; the others name open files of Cargo's
/// that Python does not hand on.
const NOT_FOR_THE_TOOL: [&str; 4] = ["RUSTC_WORKSPACE_WRAPPER", "CARGO_MAKEFLAGS", "MAKEFLAGS", "MFLAGS"];

/// The words that start `enzyme-build`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Tool {
    words: Vec<OsString>,
}

impl Tool {
    /// What `ENZYME_BUILD` says, then `enzyme-build` in `PATH`, then the Python module.
    pub(crate) fn find(environment: &Environment) -> Result<Self, Error> {
        if let Some(given) = environment.get("ENZYME_BUILD") {
            let tool = Self { words: words_of(&given) };
            return tool.works().then_some(tool).ok_or_else(|| {
                let message = format!("ENZYME_BUILD is '{}', which does not run", given.to_string_lossy());
                Error::new(ErrorKind::ToolNotFound, message, INSTALL)
            });
        }
        let in_path =
            environment.path().into_iter().map(|folder| folder.join("enzyme-build")).find(|file| file.is_file());
        if let Some(program) = in_path {
            return Ok(Self { words: vec![program.into()] });
        }
        let module = Self { words: ["python3", "-m", "enzyme_build"].map(OsString::from).to_vec() };
        module.works().then_some(module).ok_or_else(|| {
            let message = "enzyme-build was not found: neither in PATH nor as a module of python3";
            Error::new(ErrorKind::ToolNotFound, message, INSTALL)
        })
    }

    /// The program's own file, when it is one: a new installation changes it.
    pub(crate) fn file(&self) -> Option<&Path> {
        let file = Path::new(&self.words[0]);
        (self.words.len() == 1 && file.is_absolute()).then_some(file)
    }

    fn works(&self) -> bool {
        self.command().arg("--version").output().is_ok_and(|done| done.status.success())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        for variable in NOT_FOR_THE_TOOL {
            command.env_remove(variable);
        }
        command
    }

    /// Differentiate `function`; the warnings that were given.
    pub(crate) fn run(
        &self,
        function: &str,
        words: &[OsString],
        variables: &[(&str, OsString)],
    ) -> Result<Vec<String>, Error> {
        let mut command = self.command();
        command.args(words).envs(variables.iter().map(|(name, value)| (*name, value)));
        let shown = shown(&self.words, words);
        let done = command.output().map_err(|problem| {
            Error::new(
                ErrorKind::ToolNotFound,
                format!("cannot start '{}': {problem}", self.words[0].to_string_lossy()),
                INSTALL,
            )
        })?;
        if done.status.success() {
            return Ok(warnings(&String::from_utf8_lossy(&done.stderr)));
        }
        Err(Error::new(
            ErrorKind::ToolFailed,
            format!("enzyme-build could not differentiate '{function}' ({})\n{}", done.status, said(&done)),
            format!("to run it by hand:\n    {shown}"),
        ))
    }
}

/// A path as it is; anything else is a command with its words.
fn words_of(given: &OsStr) -> Vec<OsString> {
    let text = given.to_string_lossy();
    if Path::new(given).exists() || !text.contains(char::is_whitespace) {
        return vec![given.to_owned()];
    }
    text.split_whitespace().map(OsString::from).collect()
}

fn said(done: &Output) -> String {
    let text = [&done.stdout, &done.stderr].map(|part| String::from_utf8_lossy(part).into_owned()).concat();
    text.trim_end().to_owned()
}

/// The lines of each warning, with the indented ones that explain it.
fn warnings(text: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        let continues = line.starts_with(char::is_whitespace) && !line.trim().is_empty();
        inside = line.starts_with("warning: ") || line.contains(": warning: ") || (inside && continues);
        if inside {
            found.push(line.to_owned());
        }
    }
    found
}

/// The command as one could type it.
fn shown(tool: &[OsString], words: &[OsString]) -> String {
    let quoted = tool.iter().chain(words).map(|word| {
        let text = word.to_string_lossy();
        let plain = |letter: char| letter.is_alphanumeric() || "-_=./:,+".contains(letter);
        if text.chars().all(plain) { text.into_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// The files that a rule of make names behind the colon.
pub(crate) fn prerequisites(depfile: &str) -> Vec<PathBuf> {
    let Some((_, listed)) = depfile.split_once(": ") else { return Vec::new() };
    let mut files = Vec::new();
    let mut name = String::new();
    let mut letters = listed.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some(' ' | '#')) | ('$', Some('$')) => name.extend(letters.next()),
            ('\\', Some('\n')) => {}
            (' ' | '\n', _) => {
                if !name.is_empty() {
                    files.push(PathBuf::from(std::mem::take(&mut name)));
                }
            }
            _ => name.push(letter),
        }
    }
    if !name.is_empty() {
        files.push(PathBuf::from(name));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prerequisites_are_unescaped() {
        let text = "out.a: a.c \\\n  my\\ headers/b.h \\\n  c\\#.h d$$.h back\\slash.h\n";
        let expected = ["a.c", "my headers/b.h", "c#.h", "d$.h", "back\\slash.h"].map(PathBuf::from);
        assert_eq!(prerequisites(text), expected);
        assert_eq!(prerequisites(""), Vec::<PathBuf>::new());
    }

    #[test]
    fn warnings_come_with_what_explains_them() {
        let text = "   Compiling x\na.c:1:2: warning: rounding\n  hint: say so\nnote: other\nwarning: unused\n";
        assert_eq!(warnings(text), ["a.c:1:2: warning: rounding", "  hint: say so", "warning: unused"]);
    }

    #[test]
    fn a_command_of_several_words() {
        assert_eq!(words_of(OsStr::new("python3 -m enzyme_build")), ["python3", "-m", "enzyme_build"]);
        assert_eq!(words_of(OsStr::new("/no/such/tool")), ["/no/such/tool"]);
    }

    #[test]
    fn shown_commands_can_be_typed() {
        let words = ["--function=f(x[n], n)", "it's", "-O2"].map(OsString::from);
        assert_eq!(
            shown(&[OsString::from("enzyme-build")], &words),
            r"enzyme-build '--function=f(x[n], n)' 'it'\''s' -O2"
        );
    }
}
