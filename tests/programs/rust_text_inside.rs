// check: array n=4,1
// Text made and printed in the middle of the computation: String, format!, write!, eprint! to nowhere, parse.
use std::fmt::Write;

struct Report {
    lines: Vec<String>,
}

impl Report {
    fn note(&mut self, name: &str, value: f64) {
        self.lines.push(format!("{name:>8} = {value:.3e}"));
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut report = Report { lines: Vec::new() };
    let mut sum = 0.0;
    let mut text = String::new();
    for (i, v) in x.iter().enumerate() {
        sum += v.sin() * v;
        report.note("sum", sum);
        write!(text, "{i}:{v} ").unwrap();
        if sum > 1e6 {
            println!("{sum} is large: {text}");
        }
    }
    let words = text.split_whitespace().count();
    let factor: f64 = "2.5".parse().unwrap();
    let length = report.lines.iter().map(|line| line.len()).sum::<usize>() / 17;
    sum * factor * words as f64 + length as f64
}
