// check: array n=6,3 refused=E0110@-O2-fno-inline stopped=-O1
use std::collections::hash_map::DefaultHasher;
use std::collections::HashMap;
use std::fmt;
use std::hash::BuildHasherDefault;
/// Without random keys, so that each run is the same.
type Env = HashMap<String, f64, BuildHasherDefault<DefaultHasher>>;
#[derive(Debug, Clone, PartialEq)]
enum Tok { Num(f64), Var(String), Op(char), Open, Close }
enum Expr { Num(f64), Var(String), Bin(Box<Expr>, char, Box<Expr>), Call(&'static str, Box<Expr>) }
#[derive(Debug)]
enum ParseError { Unexpected(Tok), End, Bad(char), Number(std::num::ParseFloatError) }
impl From<std::num::ParseFloatError> for ParseError { fn from(e: std::num::ParseFloatError) -> Self { ParseError::Number(e) } }
impl fmt::Display for ParseError { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { write!(f, "{:?}", self) } }
fn lex(s: &str) -> Result<Vec<Tok>, ParseError> {
    let mut it = s.chars().peekable();
    let mut out = Vec::new();
    while let Some(&c) = it.peek() {
        if c.is_ascii_digit() {
            let mut t = String::new();
            while let Some(&d) = it.peek() { if d.is_ascii_digit() || d == '.' { t.push(d); it.next(); } else { break } }
            out.push(Tok::Num(t.parse()?));
            continue;
        } else if c.is_alphabetic() {
            let mut t = String::new();
            while let Some(d) = it.next_if(|d| d.is_alphanumeric()) { t.push(d) }
            out.push(Tok::Var(t));
            continue;
        }
        match c { '+' | '-' | '*' | '/' | '^' => out.push(Tok::Op(c)), '(' => out.push(Tok::Open), ')' => out.push(Tok::Close), ' ' => (), c => return Err(ParseError::Bad(c)) }
        it.next();
    }
    Ok(out)
}
struct Parser<'a> { t: &'a [Tok] }
impl<'a> Parser<'a> {
    fn prec(c: char) -> u8 { match c { '+' | '-' => 1, '*' | '/' => 2, _ => 3 } }
    fn atom(&mut self) -> Result<Expr, ParseError> {
        match self.t {
            [Tok::Var(v), Tok::Open, rest @ ..] => {
                self.t = rest;
                let e = self.expr(0)?;
                if let [Tok::Close, rest @ ..] = self.t { self.t = rest } else { return Err(ParseError::End) }
                Ok(Expr::Call(if v == "sin" { "sin" } else { "exp" }, Box::new(e)))
            }
            [Tok::Open, rest @ ..] => { self.t = rest; let e = self.expr(0)?; self.t = &self.t[1..]; Ok(e) }
            [Tok::Num(v), rest @ ..] => { self.t = rest; Ok(Expr::Num(*v)) }
            [Tok::Var(v), rest @ ..] => { self.t = rest; Ok(Expr::Var(v.clone())) }
            [t, ..] => Err(ParseError::Unexpected(t.clone())),
            [] => Err(ParseError::End),
        }
    }
    fn expr(&mut self, min: u8) -> Result<Expr, ParseError> {
        let mut l = self.atom()?;
        while let Some(&Tok::Op(c)) = self.t.first() {
            if Self::prec(c) <= min { break }
            self.t = &self.t[1..];
            l = Expr::Bin(Box::new(l), c, Box::new(self.expr(Self::prec(c))?));
        }
        Ok(l)
    }
}
fn eval(e: &Expr, env: &Env) -> Option<f64> {
    Some(match e {
        Expr::Num(v) => *v,
        Expr::Var(s) => *env.get(s)?,
        Expr::Bin(a, op, b) => { let (a, b) = (eval(a, env)?, eval(b, env)?); match op { '+' => a + b, '-' => a - b, '*' => a * b, '/' => a / b, _ => a.powf(b) } }
        Expr::Call("sin", a) => eval(a, env)?.sin(),
        Expr::Call(_, a) => eval(a, env)?.exp(),
    })
}
fn run(x: &[f64]) -> Result<f64, ParseError> {
    let env: Env = x.iter().enumerate().map(|(i, v)| (format!("x{}", i), *v)).collect();
    let mut total = 0.0;
    for line in "x0*x1 + 2.5/x2\nsin(x0^x1) - exp(x2*0.5)*(x1+x0)\nx9 + 1".lines() {
        let toks = lex(line)?;
        let e = Parser { t: &toks }.expr(0)?;
        total += eval(&e, &env).unwrap_or(x[x.len() - 1] * total);
    }
    Ok(total)
}
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    match run(x) { Ok(v) => v, Err(e) => { eprintln!("{}", e); -1.0 } }
}
