// check: array n=5,3 flags=-Cpanic=unwind refused=E0113@-O2-fno-inline with=mixed_parser_of_text_part.cpp
// C++ gives a formula as a std::string to a parser in Rust, whose errors have bytes where its nodes have numbers or
// boxes: the optimiser moves the word that may be a box as a double.
use std::ffi::{c_char, CStr};

enum Node {
    Constant(f64),
    Variable(usize),
    Binary(char, Box<Node>, Box<Node>),
    Call { name: String, arguments: Vec<Node> },
}

enum Failure {
    End,
    Unexpected(usize, u8),
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn sum(&mut self) -> Result<Node, Failure> {
        let mut left = self.product()?;
        while let Some(c @ b'+') = self.peek() {
            self.at += 1;
            left = Node::Binary(c as char, Box::new(left), Box::new(self.product()?));
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Node, Failure> {
        let mut left = self.atom()?;
        while let Some(c @ b'*') = self.peek() {
            self.at += 1;
            left = Node::Binary(c as char, Box::new(left), Box::new(self.atom()?));
        }
        Ok(left)
    }

    fn take(&mut self, wanted: impl Fn(u8) -> bool) -> &[u8] {
        let start = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn atom(&mut self) -> Result<Node, Failure> {
        match self.peek().ok_or(Failure::End)? {
            b'$' => {
                self.at += 2;
                Ok(Node::Variable((self.text[self.at - 1] - b'0') as usize))
            }
            c if c.is_ascii_digit() => {
                let whole = self.take(|c| c.is_ascii_digit()).iter().fold(0.0, |v, c| v * 10.0 + (*c as f64 - 48.0));
                let half = self.take(|c| c == b'.' || c == b'5').len() == 2;
                Ok(Node::Constant(if half { whole + 0.5 } else { whole }))
            }
            c if c.is_ascii_alphabetic() => {
                let name = String::from_utf8_lossy(self.take(|c| c.is_ascii_alphabetic())).into_owned();
                self.at += 1;
                let mut arguments = vec![self.sum()?];
                while self.peek() == Some(b',') {
                    self.at += 1;
                    arguments.push(self.sum()?);
                }
                self.at += 1;
                Ok(Node::Call { name, arguments })
            }
            c => Err(Failure::Unexpected(self.at, c)),
        }
    }
}

fn value(node: &Node, x: &[f64]) -> f64 {
    match node {
        Node::Constant(c) => *c,
        Node::Variable(i) => x[*i].sin(),
        Node::Binary(c, a, b) => {
            let (a, b) = (value(a, x), value(b, x));
            if *c == '+' { a + b } else { a * b }
        }
        Node::Call { name, arguments } => {
            let values: Vec<f64> = arguments.iter().map(|a| value(a, x)).collect();
            if name == "exp" { values[0].exp() } else { values[0].hypot(values[1]) }
        }
    }
}

unsafe extern "C" {
    fn of_string(x: *const f64, n: usize) -> f64;
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    unsafe { of_string(x, n as usize) }
}

#[no_mangle]
pub unsafe extern "C" fn value_of(formula: *const c_char, x: *const f64, n: usize) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n) };
    let text = unsafe { CStr::from_ptr(formula) }.to_bytes();
    let parsed = Parser { text, at: 0 }.sum().map_err(|failure| match failure {
        Failure::End => -1.0,
        Failure::Unexpected(at, c) => at as f64 + c as f64,
    });
    match parsed {
        Ok(node) => value(&node, x),
        Err(code) => code,
    }
}
