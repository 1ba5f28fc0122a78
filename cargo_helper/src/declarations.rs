//! The Rust declarations of several derivatives as one file.

use std::collections::HashSet;

/// The files that `enzyme-build` wrote, with each function declared once: all derivatives of a function declare it too.
pub(crate) fn merged(files: &[String]) -> String {
    let mut known = HashSet::new();
    let mut items = Vec::new();
    let mut opening = "";
    for file in files {
        let Some((before, block)) = file.split_once(" {\n") else { continue };
        opening = before;
        for item in block.trim_end().trim_end_matches('}').split("\n\n") {
            if known.insert(name_in(item)) {
                items.push(item.trim_end());
            }
        }
    }
    format!("{opening} {{\n{}\n}}\n", items.join("\n\n"))
}

fn name_in(item: &str) -> &str {
    let declared = item.lines().find_map(|line| line.trim_start().strip_prefix("pub fn "));
    declared.and_then(|rest| rest.split('(').next()).unwrap_or(item)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(names: &[&str]) -> String {
        let items = names.iter().map(|name| {
            format!("    /// The {name} (of pub fn).\n    pub fn {name}(\n        x: f64,\n    ) -> f64;\n")
        });
        format!("// Made.\nunsafe extern \"C\" {{\n{}}}\n", items.collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn one_file_stays_as_it_is() {
        let text = file(&["f", "f_grad"]);
        assert_eq!(merged(std::slice::from_ref(&text)), text);
    }

    #[test]
    fn a_function_with_two_derivatives_is_declared_once() {
        assert_eq!(merged(&[file(&["f", "f_grad"]), file(&["f", "f_jvp"])]), file(&["f", "f_grad", "f_jvp"]));
    }
}
