// check: map n=12 m=12
// A flat grid with (row, column) indices, generic over the element; slices of slices, iter::repeat, collect into boxes.
use std::ops::{Index, IndexMut};

struct Grid<T> {
    cells: Box<[T]>,
    columns: usize,
}

impl<T: Clone> Grid<T> {
    fn filled(value: T, rows: usize, columns: usize) -> Self {
        Grid { cells: std::iter::repeat(value).take(rows * columns).collect(), columns }
    }
    fn rows(&self) -> impl Iterator<Item = &[T]> {
        self.cells.chunks(self.columns)
    }
}

impl<T> Index<(usize, usize)> for Grid<T> {
    type Output = T;
    fn index(&self, (i, j): (usize, usize)) -> &T {
        &self.cells[i * self.columns + j]
    }
}

impl<T> IndexMut<(usize, usize)> for Grid<T> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut T {
        &mut self.cells[i * self.columns + j]
    }
}

fn diffuse(from: &Grid<f64>, wall: &Grid<bool>, to: &mut Grid<f64>) {
    let rows = from.cells.len() / from.columns;
    for i in 0..rows {
        for j in 0..from.columns {
            let neighbours = [(i.wrapping_sub(1), j), (i + 1, j), (i, j.wrapping_sub(1)), (i, j + 1)];
            let inside = neighbours.iter().filter(|(a, b)| *a < rows && *b < from.columns && !wall[(*a, *b)]);
            let flow: f64 = inside.map(|&at| from[at] - from[(i, j)]).sum();
            to[(i, j)] = from[(i, j)] + 0.2 * flow * from[(i, j)];
        }
    }
}

#[no_mangle]
pub extern "C" fn transform(x: *const f64, y: *mut f64, n: i32, m: i32) {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let y = unsafe { std::slice::from_raw_parts_mut(y, m as usize) };
    let mut wall = Grid::filled(false, 3, 4);
    wall[(1, 2)] = true;
    let mut now = Grid { cells: x.to_vec().into_boxed_slice(), columns: 4 };
    let mut next = Grid::filled(0.0, 3, 4);
    for _ in 0..3 {
        diffuse(&now, &wall, &mut next);
        std::mem::swap(&mut now, &mut next);
    }
    let sums: Vec<f64> = now.rows().map(|row| row.iter().sum()).collect();
    for (k, v) in y.iter_mut().enumerate() {
        *v = now.cells[k] * sums[k % sums.len()];
    }
}
