// check: array n=12
// Structs of arrays and arrays of structs: leapfrog with a neighbour list, state in &mut self methods, iter_mut.
struct World {
    x: Vec<[f64; 2]>,
    v: Vec<[f64; 2]>,
    near: Vec<Vec<usize>>,
    time: f64,
}

struct Bond {
    ends: (usize, usize),
    length: f64,
}

impl World {
    fn new(x: &[f64]) -> World {
        let x: Vec<[f64; 2]> = x.chunks(2).map(|c| [c[0], c[1]]).collect();
        let n = x.len();
        World { v: vec![[0.0; 2]; n], near: vec![vec![]; n], x, time: 0.0 }
    }
    fn find(&mut self, radius: f64) {
        for list in &mut self.near {
            list.clear();
        }
        for i in 0..self.x.len() {
            for j in 0..i {
                let [dx, dy] = [self.x[i][0] - self.x[j][0], self.x[i][1] - self.x[j][1]];
                if dx * dx + dy * dy < radius * radius {
                    self.near[i].push(j);
                    self.near[j].push(i);
                }
            }
        }
    }
    fn kick(&mut self, dt: f64, bonds: &[Bond]) {
        let World { x, v, near, .. } = self;
        for (i, list) in near.iter().enumerate() {
            for &j in list {
                for k in 0..2 {
                    v[i][k] += dt * (x[i][k] - x[j][k]);
                }
            }
        }
        for Bond { ends: (i, j), length } in bonds {
            let d = [x[*j][0] - x[*i][0], x[*j][1] - x[*i][1]];
            let r = d[0].hypot(d[1]);
            let pull = dt * (r - length) / r;
            for (k, dk) in d.iter().enumerate() {
                v[*i][k] += pull * dk;
                v[*j][k] -= pull * dk;
            }
        }
    }
    fn drift(&mut self, dt: f64) {
        for (x, v) in self.x.iter_mut().zip(&self.v) {
            x.iter_mut().zip(v).for_each(|(a, b)| *a += dt * b);
        }
        self.time += dt;
    }
    fn energy(&self) -> f64 {
        self.v.iter().flatten().map(|v| 0.5 * v * v).sum::<f64>() + self.x.concat().iter().sum::<f64>() * self.time
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut world = World::new(x);
    let bonds: Vec<Bond> = (1..world.x.len()).map(|i| Bond { ends: (i - 1, i), length: 0.3 * i as f64 }).collect();
    world.find(0.6);
    for _ in 0..5 {
        world.kick(0.1, &bonds);
        world.drift(0.1);
    }
    world.energy()
}
