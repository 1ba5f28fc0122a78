//! The Rust declarations of several derivatives as one file.

use std::collections::HashSet;

/// The files that `enzyme-build` wrote, with each function declared once: all derivatives of a function declare it too.
/// Two derivatives of one name, of which programs could call only one, are an error: that name.
pub(crate) fn merged(files: &[String]) -> Result<String, String> {
    let mut known = HashSet::new();
    let mut items = Vec::new();
    let mut opening = "";
    for file in files {
        let Some((before, block)) = file.split_once(" {\n") else { continue };
        opening = before;
        for item in block.trim_end().trim_end_matches('}').split("\n\n") {
            let name = name_in(item);
            if known.insert(name) {
                items.push(item.trim_end());
            } else if !item.contains(&format!("/// The function {name}.")) {
                return Err(name.to_owned());
            }
        }
    }
    Ok(format!("{opening} {{\n{}\n}}\n", items.join("\n\n")))
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
            format!("    /// The function {name}.\n    /// (Not pub fn g.)\n    pub fn {name}(\n        x: f64,\n    ) -> f64;\n")
        });
        format!("// Made.\nunsafe extern \"C\" {{\n{}}}\n", items.collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn one_file_stays_as_it_is() {
        let text = file(&["f", "f_grad"]);
        assert_eq!(merged(std::slice::from_ref(&text)), Ok(text));
    }

    #[test]
    fn a_function_with_two_derivatives_is_declared_once() {
        assert_eq!(merged(&[file(&["f", "f_grad"]), file(&["f", "f_jvp"])]), Ok(file(&["f", "f_grad", "f_jvp"])));
    }

    #[test]
    fn two_derivatives_of_one_name_are_an_error() {
        let twice = file(&["f", "f_grad"]).replace("The function f_grad", "Gradient of f");
        assert_eq!(merged(&[twice.clone(), twice]), Err("f_grad".to_owned()));
    }
}
