// check: array n=8,3 level=-O2
// A sum in text, taken apart into words and computed with variables by name; lengths of what grows are merged.
use std::collections::HashMap;
#[derive(Clone, Debug)]
enum Token {
    Num(f64),
    Op(char),
    Var(String),
}
fn lex(text: &str) -> Result<Vec<Token>, String> {
    let mut out = Vec::new();
    let mut it = text.chars().peekable();
    while let Some(&c) = it.peek() {
        if c.is_whitespace() {
            it.next();
        } else if c.is_ascii_digit() {
            let mut v = 0.0;
            while let Some(d) = it.peek().and_then(|c| c.to_digit(10)) {
                v = v * 10.0 + d as f64;
                it.next();
            }
            out.push(Token::Num(v));
        } else if c.is_alphabetic() {
            let mut s = String::new();
            while let Some(&c) = it.peek() {
                if c.is_alphanumeric() {
                    s.push(c);
                    it.next();
                } else {
                    break;
                }
            }
            out.push(Token::Var(s));
        } else if "+-*/".contains(c) {
            out.push(Token::Op(c));
            it.next();
        } else {
            return Err(format!("bad character {c}"));
        }
    }
    Ok(out)
}
fn rpn(tokens: &[Token], vars: &HashMap<String, f64>) -> Result<f64, String> {
    let mut stack: Vec<f64> = vec![];
    for t in tokens {
        match t {
            Token::Num(v) => stack.push(*v),
            Token::Var(name) => stack.push(*vars.get(name).ok_or_else(|| format!("no {name}"))?),
            Token::Op(o) => {
                let b = stack.pop().ok_or("empty")?;
                let a = stack.pop().ok_or("empty")?;
                stack.push(match o {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    '/' => a / b,
                    _ => unreachable!(),
                });
            }
        }
    }
    stack.pop().ok_or_else(|| "nothing".to_string())
}
#[no_mangle]
pub unsafe extern "C" fn objective(x: *mut f64, n: i32) -> f64 {
    let x = std::slice::from_raw_parts(x, n as usize);
    let mut vars = HashMap::new();
    let mut text = String::from("1 ");
    for (i, v) in x.iter().enumerate() {
        vars.insert(format!("x{i}"), v * v);
        text += &format!("x{} {} ", i, if i % 2 == 0 { '*' } else { '+' });
    }
    match lex(&text).and_then(|t| rpn(&t, &vars)) {
        Ok(v) => v.ln(),
        Err(_) => -1.0,
    }
}
