// check: array n=6,2
// Modules, visibility, re-exports, associated constants, traits with generic methods, blanket implementations, iterators.
mod physics {
    pub mod units {
        pub const G: f64 = 9.81;
        #[derive(Clone, Copy)]
        pub struct Metres(pub f64);
        impl From<f64> for Metres {
            fn from(v: f64) -> Self {
                Metres(v)
            }
        }
    }
    pub use self::units::Metres;
    use super::Energy;

    pub struct Ball {
        pub height: Metres,
        pub(super) speed: f64,
    }
    impl Energy for Ball {
        const NAME: &'static str = "ball";
        fn energy(&self) -> f64 {
            units::G * self.height.0 + 0.5 * self.speed * self.speed
        }
    }
}

trait Energy {
    const NAME: &'static str;
    fn energy(&self) -> f64;
    fn mapped<F>(&self, f: F) -> f64
    where
        F: FnOnce(f64) -> f64,
        Self: Sized,
    {
        f(self.energy()) + Self::NAME.len() as f64
    }
}

trait Total {
    fn total(self) -> f64;
}
impl<'a, E: Energy + 'a, I: IntoIterator<Item = &'a E>> Total for I {
    fn total(self) -> f64 {
        self.into_iter().map(Energy::energy).sum()
    }
}

struct Falling<'a> {
    balls: &'a [physics::Ball],
    at: usize,
}
impl Iterator for Falling<'_> {
    type Item = (usize, f64);
    fn next(&mut self) -> Option<(usize, f64)> {
        let ball = self.balls.get(self.at)?;
        self.at += 1;
        Some((self.at, (2.0 * ball.height.0 / physics::units::G).sqrt()))
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let balls: Vec<physics::Ball> =
        x.iter().enumerate().map(|(i, v)| physics::Ball { height: (*v).into(), speed: v * i as f64 }).collect();
    let times: f64 = Falling { balls: &balls, at: 0 }.map(|(i, t)| t * i as f64).sum();
    balls.total().ln() + balls[0].mapped(|e| e * times)
}
