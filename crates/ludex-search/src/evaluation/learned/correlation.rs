//! How well predictions go together with what came.

/// How two rows of numbers go together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Correlation {
    pub(super) n: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Correlation {
    pub(super) fn add(&mut self, x: f64, y: f64) {
        self.n += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.yy += y * y;
        self.xy += x * y;
    }

    /// From -1 to 1; 0 where nothing can be said.
    pub(super) fn value(&self) -> f64 {
        let spread = |sum: f64, squares: f64| self.n * squares - sum * sum;
        let both = spread(self.x, self.xx) * spread(self.y, self.yy);
        if self.n < 2.0 || both <= 1e-12 {
            0.0
        } else {
            (self.n * self.xy - self.x * self.y) / both.sqrt()
        }
    }
}
