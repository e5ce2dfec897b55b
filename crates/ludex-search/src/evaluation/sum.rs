//! Several evaluations, added.

use std::fmt;

use ludex_core::{Fault, Game, PositionOf};

use super::{Evaluate, Standpoint};

/// A weighed sum of evaluations.
pub struct Sum<G: Game> {
    /// The parts, each with its weight.
    pub parts: Vec<(f64, Box<dyn Evaluate<G>>)>,
}

impl<G: Game> fmt::Debug for Sum<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sum").field("what", &self.describe()).finish()
    }
}

impl<G: Game> Evaluate<G> for Sum<G> {
    fn evaluate(&self, game: &G, position: &PositionOf<G>, from: Standpoint) -> Result<i32, Fault> {
        let mut sum = 0.0;
        for (weight, part) in &self.parts {
            sum += weight * f64::from(part.evaluate(game, position, from)?);
        }
        Ok(sum as i32)
    }

    fn evaluate_batch(
        &self,
        game: &G,
        positions: &[(PositionOf<G>, Standpoint)],
        values: &mut Vec<i32>,
    ) -> Result<(), Fault> {
        let mut sums = vec![0.0; positions.len()];
        for (weight, part) in &self.parts {
            part.evaluate_batch(game, positions, values)?;
            sums.iter_mut().zip(&*values).for_each(|(sum, &it)| *sum += weight * f64::from(it));
        }
        values.clear();
        values.extend(sums.into_iter().map(|it| it as i32));
        Ok(())
    }

    /// As far as the parts can tell.
    fn man(&self, kind: u8) -> Option<i32> {
        let worth =
            |(weight, it): &(f64, Box<dyn Evaluate<G>>)| Some(weight * f64::from(it.man(kind)?));
        self.parts.iter().filter_map(worth).reduce(|sum, it| sum + it).map(|it| it as i32)
    }

    fn describe(&self) -> String {
        let parts: Vec<String> = self.parts.iter().map(|(_, it)| it.describe()).collect();
        parts.join(" + ")
    }
}
