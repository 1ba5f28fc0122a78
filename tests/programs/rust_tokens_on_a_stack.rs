// check: array n=8
// The words of integers and numbers come from one choice.
enum Token { Num(f64), Op(char), Var(usize) }
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut code: Vec<Token> = Vec::new();
    for i in 0..n as usize {
        code.push(Token::Var(i));
        code.push(Token::Num(0.5 + i as f64));
        code.push(Token::Op(if i % 2 == 0 { '*' } else { '+' }));
        if i > 0 { code.push(Token::Op('+')); }
    }
    let mut stack: Vec<f64> = Vec::new();
    let mut ops = 0u64;
    for t in &code {
        match t {
            Token::Num(v) => stack.push(*v),
            Token::Var(i) => stack.push(x[*i] * x[*i]),
            Token::Op(c) => { ops += 1; let b = stack.pop().unwrap(); let a = stack.pop().unwrap(); stack.push(if *c == '*' { a * b } else { a + b }); }
        }
    }
    stack[0] * ops as f64
}
