// check: array n=5
// Expressions in boxes, three of them in one variant and a character with two in another: a pointer and what may be a
// character are one word, which the optimiser cuts in two.
#[derive(Debug, Clone, PartialEq)]
enum Tok {
    Num(f64),
    Id(String),
    Op(char),
    Eof,
}
#[derive(Debug)]
enum Expr {
    Num(f64),
    Var(String),
    Neg(Box<Expr>),
    Bin(char, Box<Expr>, Box<Expr>),
    Call(String, Vec<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Let(String, Box<Expr>, Box<Expr>),
}
struct Lexer<'a> {
    chars: &'a [u8],
    pos: usize,
}
impl<'a> Lexer<'a> {
    fn next(&mut self) -> Tok {
        while self.pos < self.chars.len() && self.chars[self.pos].is_ascii_whitespace() {
            self.pos += 1;
        }
        let Some(&c) = self.chars.get(self.pos) else { return Tok::Eof };
        let start = self.pos;
        match c {
            b'0'..=b'9' => {
                while self.chars.get(self.pos).is_some_and(|c| c.is_ascii_digit() || *c == b'.') {
                    self.pos += 1;
                }
                Tok::Num(std::str::from_utf8(&self.chars[start..self.pos]).unwrap().parse().unwrap())
            }
            b'a'..=b'z' => {
                while self.chars.get(self.pos).is_some_and(u8::is_ascii_alphanumeric) {
                    self.pos += 1;
                }
                Tok::Id(String::from_utf8_lossy(&self.chars[start..self.pos]).into_owned())
            }
            _ => {
                self.pos += 1;
                Tok::Op(c as char)
            }
        }
    }
}
struct Parser<'a> {
    lex: Lexer<'a>,
    tok: Tok,
}
type PResult<T> = Result<T, String>;
impl<'a> Parser<'a> {
    fn new(s: &'a str) -> Self {
        let mut lex = Lexer { chars: s.as_bytes(), pos: 0 };
        let tok = lex.next();
        Parser { lex, tok }
    }
    fn bump(&mut self) -> Tok {
        let t = self.lex.next();
        std::mem::replace(&mut self.tok, t)
    }
    fn expect(&mut self, c: char) -> PResult<()> {
        match self.bump() {
            Tok::Op(d) if c == d => Ok(()),
            t => Err(format!("expected {c}, got {t:?}")),
        }
    }
    fn word(&mut self, w: &str) -> PResult<()> {
        match self.bump() {
            Tok::Id(s) if s == w => Ok(()),
            t => Err(format!("expected {w}, got {t:?}")),
        }
    }
    fn expr(&mut self, min: u8) -> PResult<Expr> {
        let mut l = match self.bump() {
            Tok::Num(v) => Expr::Num(v),
            Tok::Op('-') => Expr::Neg(Box::new(self.expr(5)?)),
            Tok::Op('(') => {
                let e = self.expr(0)?;
                self.expect(')')?;
                e
            }
            Tok::Id(s) if s == "if" => {
                let c = self.expr(0)?;
                self.word("then")?;
                let a = self.expr(0)?;
                self.word("else")?;
                Expr::If(Box::new(c), Box::new(a), Box::new(self.expr(0)?))
            }
            Tok::Id(s) if s == "let" => {
                let Tok::Id(name) = self.bump() else { return Err("name".to_owned()) };
                self.expect('=')?;
                let v = self.expr(0)?;
                self.word("in")?;
                Expr::Let(name, Box::new(v), Box::new(self.expr(0)?))
            }
            Tok::Id(s) => {
                if self.tok == Tok::Op('(') {
                    self.bump();
                    let mut a = vec![];
                    while self.tok != Tok::Op(')') {
                        a.push(self.expr(0)?);
                        if self.tok == Tok::Op(',') {
                            self.bump();
                        }
                    }
                    self.bump();
                    Expr::Call(s, a)
                } else {
                    Expr::Var(s)
                }
            }
            t => return Err(format!("unexpected {t:?}")),
        };
        loop {
            let Tok::Op(op) = self.tok else { return Ok(l) };
            let p = match op {
                '<' => 1,
                '+' | '-' => 2,
                '*' | '/' => 3,
                '^' => 6,
                _ => return Ok(l),
            };
            if p < min {
                return Ok(l);
            }
            self.bump();
            l = Expr::Bin(op, Box::new(l), Box::new(self.expr(if op == '^' { p } else { p + 1 })?));
        }
    }
}
fn eval(e: &Expr, x: &[f64]) -> PResult<f64> {
    Ok(match e {
        Expr::Num(v) => *v,
        Expr::Var(n) => *x.get((n.as_bytes()[1] - b'0') as usize).ok_or_else(|| format!("unbound {n}"))?,
        Expr::Neg(a) => -eval(a, x)?,
        Expr::Bin(op, a, b) => {
            let (a, b) = (eval(a, x)?, eval(b, x)?);
            match op {
                '+' => a + b,
                '-' => a - b,
                '*' => a * b,
                '/' => a / b,
                '^' => a.powf(b),
                '<' => (a < b) as i32 as f64,
                _ => return Err(format!("op {op}")),
            }
        }
        Expr::If(c, a, b) => {
            if eval(c, x)? != 0.0 {
                eval(a, x)?
            } else {
                eval(b, x)?
            }
        }
        Expr::Let(_, v, b) => eval(v, x)? * eval(b, x)?,
        Expr::Call(_, args) => {
            let vals = args.iter().map(|a| eval(a, x)).collect::<PResult<Vec<_>>>()?;
            vals.iter().sum()
        }
    })
}
fn run(x: &[f64]) -> PResult<f64> {
    let e = Parser::new("let a = x0 * x1 in if x0 < 3 then x1 ^ 2 + sum(x2, x3 * -x4) / x0 else x2").expr(0)?;
    eval(&e, x)
}
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    run(x).unwrap_or(f64::NAN)
}
