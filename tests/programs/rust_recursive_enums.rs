// check: array n=4
// Enums with vectors of themselves, cloned: the optimiser moves a vector's pointer as the number of another variant.
#[derive(Clone)]
enum Tree {
    Leaf(f64),
    Node(Vec<Tree>),
}
use Tree::*;

fn energy(t: &Tree) -> f64 {
    match t {
        Leaf(v) => v * v,
        Node(children) => children.iter().map(energy).sum(),
    }
}

#[derive(Clone)]
enum Command {
    Push(f64),
    Block(Vec<Command>),
}

fn run(program: &[Command], stack: &mut Vec<f64>) {
    for command in program {
        match command {
            Command::Push(v) => stack.push(*v),
            Command::Block(inner) => run(inner, stack),
        }
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let tree = Node(vec![Leaf(x[0]), Node(vec![Leaf(x[1]), Leaf(x[2])]), Node(vec![]), Leaf(x[3])]);
    let twice = Node(vec![tree.clone(), Leaf(x[1]), tree]);
    let mut program = vec![
        Command::Block(vec![Command::Push(x[1]), Command::Block(vec![Command::Push(x[2])])]),
        Command::Block(vec![Command::Push(x[0]), Command::Push(x[3])]),
    ];
    program.extend(program.clone());
    program.swap(1, 2);
    let mut stack = Vec::new();
    run(&program, &mut stack);
    energy(&twice.clone()) * stack.iter().enumerate().map(|(i, v)| (i + 1) as f64 * v).sum::<f64>()
}
