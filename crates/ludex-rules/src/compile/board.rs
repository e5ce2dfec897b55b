//! Boards: squares, their names, and the directions between them.

use std::collections::HashMap;

use ludex_ir::{Direction, Geometry, GridKind};

/// The named single steps, in the order in which lists and drawings use them.
pub(crate) const COMPASS: [(&str, (i64, i64)); 8] = [
    ("north", (0, 1)),
    ("east", (1, 0)),
    ("south", (0, -1)),
    ("west", (-1, 0)),
    ("northeast", (1, 1)),
    ("southeast", (1, -1)),
    ("southwest", (-1, -1)),
    ("northwest", (-1, 1)),
];

/// The steps that exist on hexagonal boards.
const HEX: [&str; 6] = ["north", "east", "south", "west", "southeast", "northwest"];

/// A board with its geometry, which grows with the directions that are used.
#[derive(Clone, Debug)]
pub(crate) struct BoardInfo {
    /// The layout.
    pub(crate) grid: GridKind,
    /// Columns of the grid.
    pub(crate) columns: usize,
    /// Rows of the grid.
    pub(crate) rows: usize,
    /// Whether files and ranks wrap.
    pub(crate) wrap: (bool, bool),
    /// Names of all squares, places last.
    pub(crate) names: Vec<String>,
    /// Grid coordinates of each square; `None` for places.
    pub(crate) coordinates: Vec<Option<(usize, usize)>>,
    /// The square at each grid position, rows from the bottom; -1 for none.
    pub(crate) at: Vec<i16>,
    /// Squares by name.
    pub(crate) by_name: HashMap<String, usize>,
    /// How many squares are on the grid (places come after them).
    pub(crate) on_grid: usize,
    /// Edges of a graph board.
    pub(crate) edges: Vec<(u16, u16)>,
    /// Directions and lists.
    pub(crate) geometry: Geometry,
    /// Directions by offset.
    by_offset: HashMap<(i64, i64), u16>,
    /// Offsets by direction.
    offsets: Vec<(i64, i64)>,
}

/// The letters of a file: a to z, then aa, ab, ...
pub(crate) fn file_name(column: usize) -> String {
    let letter = |index: usize| char::from(b'a' + index as u8);
    if column < 26 {
        letter(column).to_string()
    } else {
        format!("{}{}", letter((column / 26 - 1) % 26), letter(column % 26))
    }
}

impl BoardInfo {
    /// No board at all.
    pub(crate) fn none() -> Self {
        Self::from_points(GridKind::None, 0, 0, &[])
    }

    /// A grid of squares or hexagons, of which only those with `keep` exist.
    pub(crate) fn grid(
        grid: GridKind,
        columns: usize,
        rows: usize,
        wrap: (bool, bool),
        keep: impl Fn(usize, usize) -> bool,
    ) -> Self {
        let mut points = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                if keep(column, row) {
                    points.push((format!("{}{}", file_name(column), row + 1), (column, row)));
                }
            }
        }
        Self { wrap, ..Self::from_points(grid, columns, rows, &points) }
    }

    /// A board with the given points.
    pub(crate) fn from_points(
        grid: GridKind,
        columns: usize,
        rows: usize,
        points: &[(String, (usize, usize))],
    ) -> Self {
        let mut at = vec![-1; columns * rows];
        for (index, (_, (column, row))) in points.iter().enumerate() {
            at[row * columns + column] = index as i16;
        }
        Self {
            grid,
            columns,
            rows,
            wrap: (false, false),
            names: points.iter().map(|(name, _)| name.clone()).collect(),
            coordinates: points.iter().map(|&(_, at)| Some(at)).collect(),
            at,
            by_name: points.iter().enumerate().map(|(i, (name, _))| (name.clone(), i)).collect(),
            on_grid: points.len(),
            edges: Vec::new(),
            geometry: Geometry::default(),
            by_offset: HashMap::new(),
            offsets: Vec::new(),
        }
    }

    /// Adds a square beside the board; false if the name is taken.
    pub(crate) fn add_place(&mut self, name: &str) -> bool {
        if self.by_name.contains_key(name) {
            return false;
        }
        self.by_name.insert(name.to_owned(), self.names.len());
        self.names.push(name.to_owned());
        self.coordinates.push(None);
        for direction in &mut self.geometry.directions {
            direction.steps.push(-1);
        }
        true
    }

    /// How many squares there are, places included.
    pub(crate) fn squares(&self) -> usize {
        self.names.len()
    }

    /// The square at grid coordinates from 0.
    pub(crate) fn square_at(&self, column: i64, row: i64) -> Option<usize> {
        let inside =
            (0..self.columns as i64).contains(&column) && (0..self.rows as i64).contains(&row);
        let square = inside.then(|| self.at[row as usize * self.columns + column as usize])?;
        usize::try_from(square).ok()
    }

    /// Whether the board has a named step of this offset.
    fn is_compass(&self, offset: (i64, i64)) -> bool {
        COMPASS.iter().any(|&(name, step)| {
            step == offset && (self.grid != GridKind::Hex || HEX.contains(&name))
        })
    }

    /// The direction with the given offset, made if needed with its opposite;
    /// `None` if the board cannot have it.
    pub(crate) fn direction(&mut self, offset: (i64, i64)) -> Option<u16> {
        if let Some(&id) = self.by_offset.get(&offset) {
            return Some(id);
        }
        let too_far = offset.0.unsigned_abs() > 200 || offset.1.unsigned_abs() > 200;
        let full = self.geometry.directions.len() >= 500;
        let unnamed = self.grid == GridKind::Graph && !self.is_compass(offset);
        if too_far || full || unnamed || self.grid == GridKind::None {
            return None;
        }
        let id = self.add_direction(offset);
        let back = (-offset.0, -offset.1);
        if back == offset {
            self.geometry.directions[id as usize].opposite = id;
        } else {
            let opposite = self.add_direction(back);
            self.geometry.directions[id as usize].opposite = opposite;
            self.geometry.directions[opposite as usize].opposite = id;
        }
        Some(id)
    }

    fn add_direction(&mut self, offset: (i64, i64)) -> u16 {
        let id = self.geometry.directions.len() as u16;
        let steps = (0..self.squares()).map(|square| self.step(square, offset)).collect();
        let compass = self.is_compass(offset);
        let name = COMPASS
            .iter()
            .find(|(_, step)| compass && *step == offset)
            .map_or_else(|| format!("({},{})", offset.0, offset.1), |(name, _)| (*name).to_owned());
        self.geometry.directions.push(Direction { name, compass, opposite: id, steps });
        self.by_offset.insert(offset, id);
        self.offsets.push(offset);
        id
    }

    /// The square one step of `offset` away, or -1.
    fn step(&self, square: usize, offset: (i64, i64)) -> i16 {
        let Some((column, row)) = self.coordinates[square] else { return -1 };
        if self.grid == GridKind::Graph {
            return self.graph_step(square, offset);
        }
        let wrapped = |value: i64, size: usize, wraps: bool| {
            if wraps { value.rem_euclid(size as i64) } else { value }
        };
        let column = wrapped(column as i64 + offset.0, self.columns, self.wrap.0);
        let row = wrapped(row as i64 + offset.1, self.rows, self.wrap.1);
        self.square_at(column, row).map_or(-1, |it| it as i16)
    }

    /// The neighbour along an edge that leaves `square` in the direction of `offset`.
    fn graph_step(&self, square: usize, offset: (i64, i64)) -> i16 {
        let neighbour = |&(a, b): &(u16, u16)| {
            let other = if a as usize == square {
                b
            } else if b as usize == square {
                a
            } else {
                return None;
            };
            (self.edge_offset(square, other as usize) == offset).then_some(other as i16)
        };
        self.edges.iter().find_map(neighbour).unwrap_or(-1)
    }

    /// The compass offset of the edge from `a` to `b`.
    pub(crate) fn edge_offset(&self, a: usize, b: usize) -> (i64, i64) {
        let (Some(a), Some(b)) = (self.coordinates[a], self.coordinates[b]) else { return (0, 0) };
        ((b.0 as i64 - a.0 as i64).signum(), (b.1 as i64 - a.1 as i64).signum())
    }

    /// The offset of a direction.
    pub(crate) fn offset(&self, direction: u16) -> (i64, i64) {
        self.offsets[direction as usize]
    }

    /// A named step of this board.
    pub(crate) fn named_direction(&mut self, name: &str) -> Option<u16> {
        let &(_, offset) = COMPASS.iter().find(|(it, _)| *it == name)?;
        if self.grid == GridKind::Hex && !HEX.contains(&name) {
            return None;
        }
        self.direction(offset)
    }

    /// The named steps in a circle, each next to its neighbours.
    fn circle(&self) -> &'static [&'static str] {
        if self.grid == GridKind::Hex {
            &["north", "east", "southeast", "south", "west", "northwest"]
        } else {
            &["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
        }
    }

    /// A named step and the two beside it, from left to right.
    pub(crate) fn fan(&mut self, offset: (i64, i64)) -> Option<Vec<u16>> {
        let circle = self.circle();
        let &(name, _) = COMPASS.iter().find(|(_, step)| *step == offset)?;
        let at = circle.iter().position(|it| *it == name)?;
        let count = circle.len();
        let three = [circle[(at + count - 1) % count], name, circle[(at + 1) % count]];
        three.iter().map(|it| self.named_direction(it)).collect()
    }

    /// The names of the steps that a list word stands for.
    pub(crate) fn list_word(&self, name: &str) -> Option<&'static [&'static str]> {
        Some(match name {
            "orthogonal" if self.grid != GridKind::Hex => &["north", "east", "south", "west"],
            "diagonal" if self.grid != GridKind::Hex => {
                &["northeast", "southeast", "southwest", "northwest"]
            }
            "eight" if self.grid != GridKind::Hex => &[
                "north",
                "east",
                "south",
                "west",
                "northeast",
                "southeast",
                "southwest",
                "northwest",
            ],
            "six" if self.grid == GridKind::Hex => &HEX,
            _ => return None,
        })
    }

    /// The number of a list of directions, made if needed.
    pub(crate) fn list(&mut self, list: Vec<u16>) -> usize {
        if let Some(index) = self.geometry.lists.iter().position(|it| *it == list) {
            return index;
        }
        self.geometry.lists.push(list);
        self.geometry.lists.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the step `forward` and the two beside it.
    fn fan(grid: GridKind, forward: (i64, i64)) -> Vec<String> {
        let mut board = BoardInfo::grid(grid, 5, 5, (false, false), |_, _| true);
        let fan = board.fan(forward).unwrap_or_default();
        fan.iter().map(|&it| board.geometry.directions[it as usize].name.clone()).collect()
    }

    #[test]
    fn three_in_front_are_neighbours_of_forward() {
        assert_eq!(fan(GridKind::Square, (0, 1)), ["northwest", "north", "northeast"]);
        assert_eq!(fan(GridKind::Square, (1, 1)), ["north", "northeast", "east"]);
        assert_eq!(fan(GridKind::Hex, (0, 1)), ["northwest", "north", "east"]);
        assert_eq!(fan(GridKind::Hex, (0, -1)), ["southeast", "south", "west"]);
        assert!(fan(GridKind::Hex, (1, 1)).is_empty(), "a hexagonal board has no northeast");
    }

    #[test]
    fn files_after_z_have_two_letters() {
        let names: Vec<String> = [0, 25, 26, 51, 52].map(file_name).into();
        assert_eq!(names, ["a", "z", "aa", "az", "ba"]);
    }
}
