// check: array n=4,2 flags=-Cpanic=unwind stopped=-O2-fno-inline
// catch_unwind around a parser: the optimiser merges the number that comes out with the address of a panic's payload.
use std::panic::catch_unwind;

enum Node {
    Constant(f64),
    Variable(usize),
    Binary(char, Box<Node>, Box<Node>),
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn sum(&mut self) -> Option<Node> {
        let mut left = self.atom()?;
        while let Some(&c @ (b'+' | b'*')) = self.text.get(self.at) {
            self.at += 1;
            left = Node::Binary(c as char, Box::new(left), Box::new(self.atom()?));
        }
        Some(left)
    }

    fn atom(&mut self) -> Option<Node> {
        let c = *self.text.get(self.at)?;
        self.at += 1;
        match c {
            b'a'..=b'z' => Some(Node::Variable((c - b'a') as usize)),
            b'0'..=b'9' => Some(Node::Constant((c - b'0') as f64)),
            b'(' => {
                let inner = self.sum()?;
                self.at += 1;
                Some(inner)
            }
            _ => None,
        }
    }
}

fn value(node: &Node, x: &[f64]) -> f64 {
    match node {
        Node::Constant(c) => *c,
        Node::Variable(i) => x[*i].exp(),
        Node::Binary('+', a, b) => value(a, x) + value(b, x),
        Node::Binary(_, a, b) => value(a, x) * value(b, x),
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let text = if n > 2 { "2*(a+b*(c+3))*d" } else { "a*b+?" };
    let found = catch_unwind(|| {
        let mut parser = Parser { text: text.as_bytes(), at: 0 };
        parser.sum().map_or(parser.at as f64, |node| value(&node, x))
    });
    let value = match found {
        Ok(value) => value,
        Err(_) => f64::NAN,
    };
    let mut groups = std::collections::BTreeMap::new();
    for (i, e) in x.iter().enumerate() {
        groups.entry(i % 2 == 0).or_insert_with(Vec::new).push(*e);
    }
    // A payload would be dropped behind this.
    value * groups.values().map(|group| group.iter().product::<f64>()).sum::<f64>()
}
