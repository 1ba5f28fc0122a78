//! From the words of a C link line to Cargo's directives.

use std::path::Path;

/// `-lname` and static libraries by their path. They are not bundled: whoever links the program has them, too.
pub(crate) fn directives(words: &str) -> Vec<String> {
    words.lines().filter(|word| !word.is_empty()).flat_map(directive).collect()
}

fn directive(word: &str) -> Vec<String> {
    if let Some(name) = word.strip_prefix("-l") {
        return vec![format!("cargo:rustc-link-lib={name}")];
    }
    let path = Path::new(word);
    let library =
        path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_prefix("lib")?.strip_suffix(".a"));
    match (library, path.parent()) {
        (Some(name), Some(folder)) => vec![
            format!("cargo:rustc-link-search=native={}", folder.display()),
            format!("cargo:rustc-link-lib=static:-bundle={name}"),
        ],
        _ => vec![format!("cargo:rustc-link-arg={word}")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_by_name_and_by_path() {
        let expected = [
            "cargo:rustc-link-search=native=/usr/lib/flang",
            "cargo:rustc-link-lib=static:-bundle=flang_rt.runtime",
            "cargo:rustc-link-lib=stdc++",
            "cargo:rustc-link-arg=-Wl,-z,now",
        ];
        assert_eq!(directives("/usr/lib/flang/libflang_rt.runtime.a\n-lstdc++\n-Wl,-z,now\n"), expected);
    }
}
