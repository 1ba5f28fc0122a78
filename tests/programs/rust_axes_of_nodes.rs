// check: array n=9
// The axis is a member of nodes in a vector; bounds are checked at run time.
struct P { mass: f32, pos: [f64; 3], vel: [f32; 3] }
struct Node { axis: usize, split: f64, scale: f32 }
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let nodes: Vec<Node> = (0..x.len()).map(|i| Node { axis: (i * i) % 3, split: x[i] * x[i], scale: 0.5 }).collect();
    let mut p: Vec<P> = (0..x.len()).map(|i| P { mass: 0.5, pos: [x[i], x[i] * 2.0, x[(i + 1) % x.len()]], vel: [1.0, 2.0, i as f32] }).collect();
    for i in 1..p.len() {
        let a = nodes[i].axis;
        if p[i].pos[a] < p[i - 1].pos[a] { p.swap(i, i - 1); }
    }
    let mut sum = 0.0;
    for (node, q) in nodes.iter().zip(p.iter()) {
        let d = q.pos[node.axis] - node.split;
        sum += d * d * (q.mass * node.scale * q.vel[node.axis]) as f64;
    }
    sum
}
