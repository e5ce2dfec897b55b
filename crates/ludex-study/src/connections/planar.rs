//! That only one of two players can connect his sides.
//!
//! Two paths without a common square are impossible if the board is planar and the four sides lie
//! around it in turn. The rules need not declare that: take the graph of the squares and their steps,
//! four points for the sides, each adjacent to its squares and to the two sides of the other player,
//! and one more point adjacent to all four. If two disjoint paths existed, contracting them would
//! leave five points that are pairwise adjacent, and that graph is not planar (Kuratowski 1930, Wagner
//! 1937). So if the whole graph *is* planar, there are no such paths.
//!
//! Planarity is tested by drawing the graph (Demoucron, Malgrange and Pertuiset 1964): a cycle first,
//! then one fragment after the other, each into a face whose border has all the points to which the
//! fragment is attached; a fragment that fits in one face only goes first.

use std::collections::{BTreeSet, VecDeque};

use super::{Squares, squares_of};

/// Whether two players who have to connect these sides cannot both have done so.
pub(super) fn only_one_connects(
    steps: &[Squares],
    one: (Squares, Squares),
    other: (Squares, Squares),
) -> bool {
    let count = steps.len();
    let mut graph = Graph::new(count + 5);
    for (from, &neighbours) in steps.iter().enumerate() {
        squares_of(neighbours).filter(|&it| it > from).for_each(|to| graph.add_edge(from, to));
    }
    // In turn: a side of one, a side of the other, and again.
    let sides = [one.0, other.0, one.1, other.1];
    let above = count + 4;
    for (number, &side) in sides.iter().enumerate() {
        let point = count + number;
        squares_of(side).for_each(|square| graph.add_edge(point, square));
        graph.add_edge(point, count + (number + 1) % 4);
        graph.add_edge(point, above);
    }
    graph.is_planar_and_biconnected()
}

/// A graph: for each point its neighbours.
struct Graph {
    neighbours: Vec<BTreeSet<usize>>,
}

/// A part of a graph that is not drawn yet: the drawn points to which it is attached, and a path
/// through it between two of them.
struct Fragment {
    attachments: BTreeSet<usize>,
    path: Vec<usize>,
}

impl Graph {
    fn new(points: usize) -> Self {
        Self { neighbours: vec![BTreeSet::new(); points] }
    }

    fn add_edge(&mut self, one: usize, other: usize) {
        if one != other {
            self.neighbours[one].insert(other);
            self.neighbours[other].insert(one);
        }
    }

    /// Whether it can be drawn in the plane. A graph that is not biconnected is refused: its blocks would
    /// have to be drawn one by one.
    fn is_planar_and_biconnected(&self) -> bool {
        let Some(cycle) = self.cycle() else { return false };
        let mut drawn = Self::new(self.neighbours.len());
        for at in 0..cycle.len() {
            drawn.add_edge(cycle[at], cycle[(at + 1) % cycle.len()]);
        }
        let mut faces = vec![cycle.clone(), cycle];
        loop {
            let fragments = self.fragments(&drawn);
            let Some(first) = fragments.first() else { return self.is_all(&drawn) };
            let fits = |fragment: &Fragment| -> Vec<usize> {
                let has_all = |face: &usize| {
                    fragment.attachments.iter().all(|point| faces[*face].contains(point))
                };
                (0..faces.len()).filter(has_all).collect()
            };
            let mut chosen = (first, fits(first));
            for fragment in &fragments {
                let positions = fits(fragment);
                if positions.len() < chosen.1.len() {
                    chosen = (fragment, positions);
                }
            }
            let (fragment, positions) = chosen;
            let (Some(&face), true) = (positions.first(), fragment.path.len() >= 2) else {
                return false;
            };
            for pair in fragment.path.windows(2) {
                drawn.add_edge(pair[0], pair[1]);
            }
            let [left, right] = divided(&faces[face], &fragment.path);
            faces[face] = left;
            faces.push(right);
        }
    }

    fn is_all(&self, drawn: &Self) -> bool {
        self.neighbours == drawn.neighbours
    }

    /// Some cycle.
    fn cycle(&self) -> Option<Vec<usize>> {
        let first = (0..self.neighbours.len()).find(|&it| self.neighbours[it].len() >= 2)?;
        let second = *self.neighbours[first].first()?;
        // Back from the second point to the first, by another path than the edge between them.
        self.path(second, |point| point == first, |one, other| (one, other) == (second, first))
    }

    /// The shortest path from a point to one that is wanted, by edges that are not forbidden.
    fn path(
        &self,
        from: usize,
        is_wanted: impl Fn(usize) -> bool,
        is_forbidden: impl Fn(usize, usize) -> bool,
    ) -> Option<Vec<usize>> {
        let mut before = vec![None; self.neighbours.len()];
        before[from] = Some(from);
        let mut waiting = VecDeque::from([from]);
        while let Some(point) = waiting.pop_front() {
            for &next in &self.neighbours[point] {
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

    /// What is not drawn yet, fragment by fragment.
    fn fragments(&self, drawn: &Self) -> Vec<Fragment> {
        let is_drawn = |point: usize| !drawn.neighbours[point].is_empty();
        let mut fragments = Vec::new();
        let mut seen = vec![false; self.neighbours.len()];
        for point in 0..self.neighbours.len() {
            if is_drawn(point) {
                let lines = self.neighbours[point].iter().filter(|&&it| it > point && is_drawn(it));
                let missing = lines.filter(|it| !drawn.neighbours[point].contains(it));
                fragments.extend(missing.map(|&other| Fragment {
                    attachments: BTreeSet::from([point, other]),
                    path: vec![point, other],
                }));
            } else if !seen[point] && !self.neighbours[point].is_empty() {
                fragments.push(self.fragment_around(point, &is_drawn, &mut seen));
            }
        }
        fragments
    }

    /// The fragment of a point that is not drawn.
    fn fragment_around(
        &self,
        point: usize,
        is_drawn: &impl Fn(usize) -> bool,
        seen: &mut [bool],
    ) -> Fragment {
        let mut attachments = BTreeSet::new();
        let mut waiting = vec![point];
        seen[point] = true;
        while let Some(point) = waiting.pop() {
            for &next in &self.neighbours[point] {
                if is_drawn(next) {
                    attachments.insert(next);
                } else if !std::mem::replace(&mut seen[next], true) {
                    waiting.push(next);
                }
            }
        }
        // From one attachment through the fragment to another one; none if there is only one.
        let path = attachments.first().and_then(|&first| {
            let is_end = |it: usize| it != first && is_drawn(it);
            let leaves = |one: usize, other: usize| {
                if one == first {
                    is_drawn(other) || !self.leads_to(other, point, is_drawn)
                } else {
                    is_drawn(one)
                }
            };
            self.path(first, is_end, leaves)
        });
        Fragment { attachments, path: path.unwrap_or_default() }
    }

    /// Whether two points that are not drawn belong to the same fragment.
    fn leads_to(&self, from: usize, to: usize, is_drawn: &impl Fn(usize) -> bool) -> bool {
        from == to || self.path(from, |it| it == to, |_, next| is_drawn(next)).is_some()
    }
}

/// A path, from its last point back to its first.
fn back(before: &[Option<usize>], last: usize, first: usize) -> Vec<usize> {
    let mut path = vec![last];
    let mut at = last;
    while at != first {
        let Some(point) = before[at] else { break };
        path.push(point);
        at = point;
    }
    path
}

/// The two faces into which a path across it divides a face.
fn divided(face: &[usize], path: &[usize]) -> [Vec<usize>; 2] {
    let position = |point: usize| face.iter().position(|&it| it == point).unwrap_or(0);
    let (start, end) = (position(path[0]), position(path[path.len() - 1]));
    let along = |from: usize, to: usize| -> Vec<usize> {
        let steps = (to + face.len() - from) % face.len();
        (0..=steps).map(|step| face[(from + step) % face.len()]).collect()
    };
    let inner = &path[1..path.len() - 1];
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
        lines.iter().for_each(|&(one, other)| graph.add_edge(one, other));
        graph
    }

    #[test]
    fn what_can_be_drawn_in_the_plane() {
        let complete = |count: usize| -> Vec<(usize, usize)> {
            (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other))).collect()
        };
        assert!(graph(3, &complete(3)).is_planar_and_biconnected());
        assert!(graph(4, &complete(4)).is_planar_and_biconnected());
        assert!(!graph(5, &complete(5)).is_planar_and_biconnected());
        let houses: Vec<(usize, usize)> =
            (0..3).flat_map(|house| (3..6).map(move |well| (house, well))).collect();
        assert!(!graph(6, &houses).is_planar_and_biconnected());
        assert!(graph(6, &houses[1..]).is_planar_and_biconnected());
        // All but one of the lines between five points can be drawn, and with a point on each line.
        assert!(graph(5, &complete(5)[1..]).is_planar_and_biconnected());
        let halved: Vec<(usize, usize)> = (complete(5).iter().enumerate())
            .flat_map(|(number, &(one, other))| [(one, 5 + number), (5 + number, other)])
            .collect();
        assert!(!graph(15, &halved).is_planar_and_biconnected());
        // A triangle with a tail falls apart.
        assert!(!graph(4, &[(0, 1), (1, 2), (0, 2), (2, 3)]).is_planar_and_biconnected());
    }

    /// A board of squares with steps along its sides, and along the diagonals if wanted.
    fn board(size: usize, diagonals: &[(isize, isize)]) -> Vec<Squares> {
        let straight = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        let steps: Vec<(isize, isize)> = straight.iter().chain(diagonals).copied().collect();
        let neighbours = |square: usize| -> Squares {
            let (file, rank) = ((square % size) as isize, (square / size) as isize);
            let is_on = |it: isize| (0..size as isize).contains(&it);
            let to = steps.iter().map(|&(x, y)| (file + x, rank + y));
            let on = to.filter(|&(x, y)| is_on(x) && is_on(y));
            on.fold(0, |all, (x, y)| all | 1 << (y as usize * size + x as usize))
        };
        (0..size * size).map(neighbours).collect()
    }

    #[test]
    fn on_a_flat_board_only_one_joins() {
        let size = 5;
        let row = |rank: usize| (0..size).fold(0, |all, file| all | 1 << (rank * size + file));
        let column = |file: usize| (0..size).fold(0, |all, rank| all | 1 << (rank * size + file));
        let (rows, columns) = ((row(0), row(size - 1)), (column(0), column(size - 1)));
        assert!(only_one_connects(&board(size, &[]), rows, columns));
        assert!(only_one_connects(&board(size, &[(1, -1), (-1, 1)]), rows, columns));
        // With both diagonals ways can cross, and two players who join the same sides both can.
        let all = [(1, 1), (-1, -1), (1, -1), (-1, 1)];
        assert!(!only_one_connects(&board(size, &all), rows, columns));
        assert!(!only_one_connects(&board(size, &[]), rows, rows));
    }
}
