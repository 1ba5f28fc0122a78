// check: array n=9,1
// A search tree of optional boxes, filled by the order of the data, with depth, fold and sum over it.
#[derive(Default)]
struct Tree {
    root: Link,
}

type Link = Option<Box<Node>>;

struct Node {
    key: f64,
    weight: f64,
    left: Link,
    right: Link,
}

impl Tree {
    fn insert(&mut self, key: f64, weight: f64) {
        let mut at = &mut self.root;
        while let Some(node) = at {
            at = if key < node.key { &mut node.left } else { &mut node.right };
        }
        *at = Some(Box::new(Node { key, weight, left: None, right: None }));
    }
}

fn in_order(link: &Link, visit: &mut impl FnMut(&Node)) {
    if let Some(node) = link {
        in_order(&node.left, visit);
        visit(node);
        in_order(&node.right, visit);
    }
}

fn weighted(link: &Link, depth: i32) -> f64 {
    link.as_ref().map_or(0.0, |node| {
        node.weight * 0.7f64.powi(depth) + weighted(&node.left, depth + 1) * weighted(&node.right, depth + 1)
    })
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut tree = Tree::default();
    for (i, v) in x.iter().enumerate() {
        tree.insert(v.sin(), x[n as usize - 1 - i] * v);
    }
    let mut previous = 0.5;
    let mut sum = 0.0;
    in_order(&tree.root, &mut |node| {
        sum += previous * node.key + node.weight;
        previous = node.key;
    });
    sum + weighted(&tree.root, 0)
}
