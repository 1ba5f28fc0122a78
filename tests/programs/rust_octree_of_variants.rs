// check: array n=16,8 refused=E0143@-O2-fno-inline
// Not under valgrind: an eight-byte word of a variant may have padding that nobody set; whether it is an address is asked.
// Barnes-Hut with an octree of boxed arrays: Option<Box<..>>; 8, inactive integer cells decide the tree, active masses and positions.
use std::collections::HashMap;
#[derive(Debug, Clone, Copy, Default)]
struct Body { mass: f64, at: [f64; 3], cell: [u8; 3], tag: u16 }
#[derive(Debug, Default)]
enum Node { #[default] Empty, Leaf(Body), Branch(Box<Branch>) }
#[derive(Debug, Default)]
struct Branch { kids: [Node; 8], mass: f64, centre: [f64; 3], quad: Option<Box<[[f64; 3]; 3]>>, count: u32 }

impl Node {
    fn insert(self, b: Body, level: u32) -> Node {
        match self {
            Node::Empty => Node::Leaf(b),
            Node::Leaf(old) if level == 0 => {
                let m = old.mass + b.mass;
                Node::Leaf(Body { mass: m, at: std::array::from_fn(|i| (old.at[i] * old.mass + b.at[i] * b.mass) / m), ..old })
            }
            Node::Leaf(old) => Node::Branch(Box::default()).insert(old, level).insert(b, level),
            Node::Branch(mut br) => {
                let k = b.cell.iter().fold(0, |k, c| 2 * k + ((c >> (level - 1)) & 1) as usize);
                br.kids[k] = std::mem::take(&mut br.kids[k]).insert(b, level - 1);
                br.count += 1;
                Node::Branch(br)
            }
        }
    }
    fn summary(&self) -> Option<(f64, [f64; 3])> {
        match self { Node::Empty => None, Node::Leaf(b) => Some((b.mass, b.at)), Node::Branch(b) => Some((b.mass, b.centre)) }
    }
    fn finish(&mut self) {
        let Node::Branch(b) = self else { return };
        b.kids.iter_mut().for_each(Node::finish);
        let parts: Vec<(f64, [f64; 3])> = b.kids.iter().filter_map(Node::summary).collect();
        b.mass = parts.iter().map(|p| p.0).sum();
        for i in 0..3 { b.centre[i] = parts.iter().map(|(m, p)| m * p[i]).sum::<f64>() / b.mass; }
        if parts.len() > 2 {
            let mut q = Box::new([[0.0; 3]; 3]);
            for (m, p) in &parts {
                let d: [f64; 3] = std::array::from_fn(|i| p[i] - b.centre[i]);
                let d2: f64 = d.iter().map(|v| v * v).sum();
                for i in 0..3 { for j in 0..3 { q[i][j] += m * (3.0 * d[i] * d[j] - if i == j { d2 } else { 0.0 }); } }
            }
            b.quad = Some(q);
        }
    }
    fn potential(&self, p: &[f64; 3], cell: [u8; 3], level: u32) -> f64 {
        let point = |m: f64, c: &[f64; 3]| -m / (c.iter().zip(p).map(|(a, b)| (a - b).powi(2)).sum::<f64>() + 0.05).sqrt();
        match self {
            Node::Empty => 0.0,
            Node::Leaf(b) => point(b.mass, &b.at),
            Node::Branch(b) => {
                let near = b.kids.iter().any(|k| matches!(k, Node::Leaf(l) if l.cell.iter().zip(cell).all(|(u, v)| (u >> level) == (v >> level))));
                if near || level > 2 { return b.kids.iter().map(|k| k.potential(p, cell, level.saturating_sub(1))).sum(); }
                let far = b.quad.as_ref().map_or(0.0, |q| {
                    let d: [f64; 3] = std::array::from_fn(|i| p[i] - b.centre[i]);
                    let r2 = d.iter().map(|v| v * v).sum::<f64>() + 0.05;
                    -0.5 * (0..9).map(|k| q[k / 3][k % 3] * d[k / 3] * d[k % 3]).sum::<f64>() / r2.powf(2.5)
                });
                point(b.mass, &b.centre) + far
            }
        }
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let bodies: Vec<Body> = x.chunks_exact(2).enumerate().map(|(i, c)| {
        let cell = [(i * 5 % 8) as u8, (i * 3 % 8) as u8, (i * i % 8) as u8];
        Body { mass: c[0], at: std::array::from_fn(|k| cell[k] as f64 * 0.4 + 0.2 * c[1] * (k as f64 + 0.5)), cell, tag: (i % 3) as u16 }
    }).collect();
    let mut root = bodies.iter().copied().fold(Node::Empty, |t, b| t.insert(b, 3));
    root.finish();
    let mut groups: HashMap<u16, (f64, Vec<usize>)> = HashMap::new();
    for (i, b) in bodies.iter().enumerate() {
        let g = groups.entry(b.tag).or_insert((0.0, vec![]));
        g.0 += b.mass * root.potential(&b.at, b.cell, 3);
        g.1.push(i);
    }
    let mut keys: Vec<_> = groups.iter().collect();
    keys.sort_unstable_by_key(|k| std::cmp::Reverse(k.0));
    keys.iter().enumerate().map(|(r, (_, (e, who)))| e * (r + 1) as f64 + 0.1 * who.iter().map(|i| bodies[*i].mass.sqrt()).sum::<f64>()).sum()
}
