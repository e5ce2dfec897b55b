//! That only one of two players can join his sides.
//!
//! Two ways that have no square in common are impossible if the board is flat and the four sides
//! lie around it in turn. Nobody has to say so: take the squares and their steps, four points for the
//! sides, each joined to its squares and to the two sides of the other player, and one point more that
//! is joined to all four. If two such ways existed, then by drawing them together to a point each
//! five points would remain of which each is joined to each, and those cannot be drawn in the
//! plane (Kuratowski 1930, Wagner 1937). So where the whole *can* be drawn in the plane, there are no such ways.
//!
//! Whether it can is found by drawing it (Demoucron, Malgrange and Pertuiset 1964): a circle first,
//! then piece by piece what hangs on it, each into an area whose border has all the points on which
//! the piece hangs; a piece that fits in one area only goes first.

use std::collections::{BTreeSet, VecDeque};

use super::{Squares, squares_of};

/// Whether two players who have to join these sides cannot both have done so.
pub(super) fn only_one_joins(
    steps: &[Squares],
    one: (Squares, Squares),
    other: (Squares, Squares),
) -> bool {
    let count = steps.len();
    let mut graph = Graph::new(count + 5);
    for (from, &near) in steps.iter().enumerate() {
        squares_of(near).filter(|&it| it > from).for_each(|to| graph.join(from, to));
    }
    // In turn: a side of one, a side of the other, and again.
    let sides = [one.0, other.0, one.1, other.1];
    let above = count + 4;
    for (number, &side) in sides.iter().enumerate() {
        let point = count + number;
        squares_of(side).for_each(|square| graph.join(point, square));
        graph.join(point, count + (number + 1) % 4);
        graph.join(point, above);
    }
    graph.is_planar_and_in_one_piece()
}

/// Points and which of them are joined.
struct Graph {
    near: Vec<BTreeSet<usize>>,
}

/// A part of a graph that is not drawn yet: the points on which it hangs, and a way through it
/// between two of them.
struct Piece {
    hangs_on: BTreeSet<usize>,
    way: Vec<usize>,
}

impl Graph {
    fn new(points: usize) -> Self {
        Self { near: vec![BTreeSet::new(); points] }
    }

    fn join(&mut self, one: usize, other: usize) {
        if one != other {
            self.near[one].insert(other);
            self.near[other].insert(one);
        }
    }

    /// Whether it can be drawn in the plane. A graph that falls apart when a point is taken away is
    /// refused: it would have to be drawn part by part.
    fn is_planar_and_in_one_piece(&self) -> bool {
        let Some(circle) = self.circle() else { return false };
        let mut drawn = Self::new(self.near.len());
        for at in 0..circle.len() {
            drawn.join(circle[at], circle[(at + 1) % circle.len()]);
        }
        let mut areas = vec![circle.clone(), circle];
        loop {
            let pieces = self.pieces(&drawn);
            let Some(first) = pieces.first() else { return self.is_all(&drawn) };
            let fits = |piece: &Piece| -> Vec<usize> {
                let has_all =
                    |area: &usize| piece.hangs_on.iter().all(|point| areas[*area].contains(point));
                (0..areas.len()).filter(has_all).collect()
            };
            let mut chosen = (first, fits(first));
            for piece in &pieces {
                let places = fits(piece);
                if places.len() < chosen.1.len() {
                    chosen = (piece, places);
                }
            }
            let (piece, places) = chosen;
            let (Some(&area), true) = (places.first(), piece.way.len() >= 2) else { return false };
            for pair in piece.way.windows(2) {
                drawn.join(pair[0], pair[1]);
            }
            let [left, right] = divided(&areas[area], &piece.way);
            areas[area] = left;
            areas.push(right);
        }
    }

    fn is_all(&self, drawn: &Self) -> bool {
        self.near == drawn.near
    }

    /// Some circle of points.
    fn circle(&self) -> Option<Vec<usize>> {
        let first = (0..self.near.len()).find(|&it| self.near[it].len() >= 2)?;
        let second = *self.near[first].first()?;
        // Back from the second point to the first, by another way than the direct one.
        self.way(second, |point| point == first, |one, other| (one, other) == (second, first))
    }

    /// The shortest way from a point to one that is wanted, by steps that are not forbidden.
    fn way(
        &self,
        from: usize,
        is_wanted: impl Fn(usize) -> bool,
        is_forbidden: impl Fn(usize, usize) -> bool,
    ) -> Option<Vec<usize>> {
        let mut before = vec![None; self.near.len()];
        before[from] = Some(from);
        let mut waiting = VecDeque::from([from]);
        while let Some(point) = waiting.pop_front() {
            for &next in &self.near[point] {
                if before[next].is_some() || is_forbidden(point, next) {
                    continue;
                }
                before[next] = Some(point);
                if is_wanted(next) {
                    return Some(back(&before, next, from));
                }
                waiting.push_back(next);
            }
        }
        None
    }

    /// What is not drawn yet, piece by piece.
    fn pieces(&self, drawn: &Self) -> Vec<Piece> {
        let is_drawn = |point: usize| !drawn.near[point].is_empty();
        let mut pieces = Vec::new();
        let mut seen = vec![false; self.near.len()];
        for point in 0..self.near.len() {
            if is_drawn(point) {
                let lines = self.near[point].iter().filter(|&&it| it > point && is_drawn(it));
                let missing = lines.filter(|it| !drawn.near[point].contains(it));
                pieces.extend(missing.map(|&other| Piece {
                    hangs_on: BTreeSet::from([point, other]),
                    way: vec![point, other],
                }));
            } else if !seen[point] && !self.near[point].is_empty() {
                pieces.push(self.piece_around(point, &is_drawn, &mut seen));
            }
        }
        pieces
    }

    /// The piece to which a point belongs that is not drawn.
    fn piece_around(
        &self,
        point: usize,
        is_drawn: &impl Fn(usize) -> bool,
        seen: &mut [bool],
    ) -> Piece {
        let mut hangs_on = BTreeSet::new();
        let mut waiting = vec![point];
        seen[point] = true;
        while let Some(point) = waiting.pop() {
            for &next in &self.near[point] {
                if is_drawn(next) {
                    hangs_on.insert(next);
                } else if !std::mem::replace(&mut seen[next], true) {
                    waiting.push(next);
                }
            }
        }
        // From one of its ends through the piece to another one; none if it hangs on one point.
        let way = hangs_on.first().and_then(|&first| {
            let is_end = |it: usize| it != first && is_drawn(it);
            let leaves = |one: usize, other: usize| {
                if one == first {
                    is_drawn(other) || !self.leads_to(other, point, is_drawn)
                } else {
                    is_drawn(one)
                }
            };
            self.way(first, is_end, leaves)
        });
        Piece { hangs_on, way: way.unwrap_or_default() }
    }

    /// Whether two points that are not drawn belong to the same piece.
    fn leads_to(&self, from: usize, to: usize, is_drawn: &impl Fn(usize) -> bool) -> bool {
        from == to || self.way(from, |it| it == to, |_, next| is_drawn(next)).is_some()
    }
}

/// A way, from its last point back to its first.
fn back(before: &[Option<usize>], last: usize, first: usize) -> Vec<usize> {
    let mut way = vec![last];
    let mut at = last;
    while at != first {
        let Some(point) = before[at] else { break };
        way.push(point);
        at = point;
    }
    way
}

/// The two areas into which a way across it divides an area.
fn divided(area: &[usize], way: &[usize]) -> [Vec<usize>; 2] {
    let place = |point: usize| area.iter().position(|&it| it == point).unwrap_or(0);
    let (start, end) = (place(way[0]), place(way[way.len() - 1]));
    let along = |from: usize, to: usize| -> Vec<usize> {
        let steps = (to + area.len() - from) % area.len();
        (0..=steps).map(|step| area[(from + step) % area.len()]).collect()
    };
    let inner = &way[1..way.len() - 1];
    let mut left = along(start, end);
    left.extend(inner.iter().rev());
    let mut right = along(end, start);
    right.extend(inner);
    [left, right]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(points: usize, lines: &[(usize, usize)]) -> Graph {
        let mut graph = Graph::new(points);
        lines.iter().for_each(|&(one, other)| graph.join(one, other));
        graph
    }

    #[test]
    fn what_can_be_drawn_in_the_plane() {
        let complete = |count: usize| -> Vec<(usize, usize)> {
            (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other))).collect()
        };
        assert!(graph(3, &complete(3)).is_planar_and_in_one_piece());
        assert!(graph(4, &complete(4)).is_planar_and_in_one_piece());
        assert!(!graph(5, &complete(5)).is_planar_and_in_one_piece());
        let houses: Vec<(usize, usize)> =
            (0..3).flat_map(|house| (3..6).map(move |well| (house, well))).collect();
        assert!(!graph(6, &houses).is_planar_and_in_one_piece());
        assert!(graph(6, &houses[1..]).is_planar_and_in_one_piece());
        // All but one of the lines between five points can be drawn, and with a point on each line.
        assert!(graph(5, &complete(5)[1..]).is_planar_and_in_one_piece());
        let halved: Vec<(usize, usize)> = (complete(5).iter().enumerate())
            .flat_map(|(number, &(one, other))| [(one, 5 + number), (5 + number, other)])
            .collect();
        assert!(!graph(15, &halved).is_planar_and_in_one_piece());
        // A triangle with a tail falls apart.
        assert!(!graph(4, &[(0, 1), (1, 2), (0, 2), (2, 3)]).is_planar_and_in_one_piece());
    }

    /// A board of squares with steps along its sides, and along the diagonals if wanted.
    fn board(size: usize, diagonals: &[(isize, isize)]) -> Vec<Squares> {
        let straight = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        let steps: Vec<(isize, isize)> = straight.iter().chain(diagonals).copied().collect();
        let near = |square: usize| -> Squares {
            let (file, rank) = ((square % size) as isize, (square / size) as isize);
            let is_on = |it: isize| (0..size as isize).contains(&it);
            let to = steps.iter().map(|&(x, y)| (file + x, rank + y));
            let on = to.filter(|&(x, y)| is_on(x) && is_on(y));
            on.fold(0, |all, (x, y)| all | 1 << (y as usize * size + x as usize))
        };
        (0..size * size).map(near).collect()
    }

    #[test]
    fn on_a_flat_board_only_one_joins() {
        let size = 5;
        let row = |rank: usize| (0..size).fold(0, |all, file| all | 1 << (rank * size + file));
        let column = |file: usize| (0..size).fold(0, |all, rank| all | 1 << (rank * size + file));
        let (rows, columns) = ((row(0), row(size - 1)), (column(0), column(size - 1)));
        assert!(only_one_joins(&board(size, &[]), rows, columns));
        assert!(only_one_joins(&board(size, &[(1, -1), (-1, 1)]), rows, columns));
        // With both diagonals ways can cross, and two players who join the same sides both can.
        let all = [(1, 1), (-1, -1), (1, -1), (-1, 1)];
        assert!(!only_one_joins(&board(size, &all), rows, columns));
        assert!(!only_one_joins(&board(size, &[]), rows, rows));
    }
}
