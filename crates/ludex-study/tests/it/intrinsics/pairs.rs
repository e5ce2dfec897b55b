//! Rules said twice: by an operation on sets, and by a plain body.
//!
//! A plain body asks one square at a time. It has loops over numbers, flags,
//! counters and recursion, and no set: `main` looks that there is none. Results
//! are draws, because draws of both players agree with each other in any state.

/// The board of all pairs; every square has a number, which is how plain bodies walk over it.
const FRAME: &str = r#"
game "Pair"
board square 5 by 4
players White forward north, Black forward south
men man "M" "m", stone neutral "o"

function square(k: int): square
  return at(k % 5 + 1, k / 5 + 1)

function number(a: square): int
  return (a.rank - 1) * 5 + a.file - 1
"#;

/// Where a plain body notes which squares it has been to.
const MARKS: &str = "
cell mark[20]: bool
";

/// A flood fill by hand. It is called in a `try`, which takes the marks back.
const SPREAD: &str = "
action clear()
  for k in 0..19: set mark[k] = no

action spread(a: square, p: player, ds: directions)
  if a is p man and not mark[number(a)]
    set mark[number(a)] = yes
    for d in ds: spread(a + d, p, ds)

function liberties(a: square, p: player): int
  let n = 0
  try clear(), spread(a, p, orthogonal)
    for k in 0..19
      if square(k) is empty
        let touched = no
        for d in orthogonal
          let b = square(k) + d
          if b.exists and mark[number(b)]: touched = yes
        if touched: n += 1
  return n

function size(a: square, p: player): int
  let n = 0
  try clear(), spread(a, p, orthogonal)
    for k in 0..19
      if mark[k]: n += 1
  return n
";

/// One meaning, two programs.
pub(crate) struct Pair {
    /// What is asked.
    pub(crate) name: &'static str,
    /// Declarations of both.
    shared: &'static str,
    /// By an operation on sets.
    by_sets: &'static str,
    /// Declarations of the plain body.
    helpers: &'static str,
    /// The plain body.
    plainly: &'static str,
}

impl Pair {
    /// The rules that use operations on sets.
    pub(crate) fn by_sets(&self) -> String {
        rules(&[FRAME, self.shared, self.by_sets])
    }

    /// The same rules by a plain body.
    pub(crate) fn plainly(&self) -> String {
        rules(&[FRAME, self.shared, self.helpers, self.plainly])
    }
}

/// A file of these parts. One that says nothing about moves has a pass.
fn rules(parts: &[&str]) -> String {
    let text = parts.concat();
    if text.contains("\nmoves\n") { text } else { text + "\nmoves\n  move pass\n" }
}

const fn simple(name: &'static str, by_sets: &'static str, plainly: &'static str) -> Pair {
    Pair { name, shared: "", by_sets, helpers: "", plainly }
}

const fn flooded(name: &'static str, by_sets: &'static str, plainly: &'static str) -> Pair {
    Pair { name, shared: MARKS, by_sets, helpers: SPREAD, plainly }
}

/// All pairs.
pub(crate) fn all() -> impl Iterator<Item = &'static Pair> {
    QUESTIONS.iter().chain(&ALGEBRA).chain(&LINES).chain(&FLOODS).chain(&EFFECTS)
}

/// Questions about one set: is there a square, how many are there.
static QUESTIONS: [Pair; 11] = [
    simple(
        "any",
        "
result
  if any mine & rank(4): draw
",
        "
result
  let found = no
  for i in 1..5
    if at(i, 4) is mine: found = yes
  if found: draw
",
    ),
    simple(
        "no",
        "
result
  if no mine & rank(2): draw
",
        "
result
  let found = no
  for i in 1..5
    if at(i, 2) is mine: found = yes
  if not found: draw
",
    ),
    simple(
        "all of",
        "
result
  if no (rank(2) - mine): draw
",
        "
result
  let full = yes
  for i in 1..5
    if at(i, 2) is not mine: full = no
  if full: draw
",
    ),
    simple(
        "count at least",
        "
result
  if count(mine) >= 4: draw
",
        "
result
  let n = 0
  for k in 0..19
    if square(k) is mine: n += 1
  if n >= 4: draw
",
    ),
    simple(
        "count at most",
        "
result
  if count(mine & (rank(1) | rank(2))) <= 2: draw
",
        "
result
  let n = 0
  for k in 0..9
    if square(k) is mine: n += 1
  if n <= 2: draw
",
    ),
    simple(
        "count exactly",
        "
result
  if count(occupied & file(2)) == 2: draw
",
        "
result
  let n = 0
  for j in 1..4
    if at(2, j) is occupied: n += 1
  if n == 2: draw
",
    ),
    simple(
        "count other than",
        "
result
  if count(empty) != 6: draw
",
        "
result
  let n = 0
  for k in 0..19
    if square(k) is empty: n += 1
  if n != 6: draw
",
    ),
    simple(
        "two counts",
        "
result
  if count(mine) < count(theirs): draw
",
        "
result
  let n = 0
  for k in 0..19
    if square(k) is mine: n += 1
    if square(k) is theirs: n -= 1
  if n < 0: draw
",
    ),
    simple(
        "count as score",
        "
result
  score count(mine & (rank(1) | rank(2)))
",
        "
result
  let n = 0
  for k in 0..9
    if square(k) is mine: n += 1
  score n
",
    ),
    simple(
        "membership",
        "
result
  if c2 in neighbours(mine, diagonal): draw
",
        "
result
  let near = 0
  for d in diagonal
    if c2 - d is mine: near += 1
  if near > 0: draw
",
    ),
    simple(
        "first",
        "
moves
  let a = first(mine - rank(1))
  if a.exists: move take a
",
        "
moves
  let k = 5
  while k < 20 and square(k) is not mine: k += 1
  let a = square(k)
  if a.exists: move take a
",
    ),
];

/// Sets made of sets, and loops over them.
static ALGEBRA: [Pair; 10] = [
    simple(
        "and, or, but not",
        "
moves
  let s = (shift(mine, east) | shift(theirs, west)) & empty - shift(stone, north)
  for a in s: move put my man on a
",
        "
moves
  for k in 0..19
    let a = square(k)
    let good = no
    if a.west is mine: good = yes
    if a.east is theirs: good = yes
    if a is not empty: good = no
    if a.south is stone: good = no
    if good: move put my man on a
",
    ),
    simple(
        "the rest of the board",
        "
result
  if count(~(mine | stone)) <= 9: draw
",
        "
result
  let n = 20
  for k in 0..19
    if square(k) is mine: n -= 1
    if square(k) is stone: n -= 1
  if n <= 9: draw
",
    ),
    simple(
        "shift",
        "
moves
  for a in shift(mine, forward) & empty: move put my man on a
",
        "
moves
  for k in 0..19
    let a = square(k)
    let b = a.forward
    if a is mine and b is empty: move put my man on b
",
    ),
    simple(
        "neighbours, some",
        "
result
  if any neighbours(mine, orthogonal) & theirs: draw
",
        "
result
  let met = no
  for k in 0..19
    if square(k) is mine
      for d in orthogonal
        if square(k) + d is theirs: met = yes
  if met: draw
",
    ),
    simple(
        "neighbours, none",
        "
moves
  for a in mine - neighbours(theirs, eight): move take a
",
        "
moves
  for k in 0..19
    let a = square(k)
    let lonely = yes
    for d in eight
      if a + d is theirs: lonely = no
    if a is mine and lonely: move take a
",
    ),
    simple(
        "squares put together",
        "
result
  let s = {}
  for a in mine
    if a.forward is theirs: s += a.forward
  if count(s) >= 2: draw
",
        "
result
  let n = 0
  for k in 0..19
    let a = square(k)
    if a is mine and a.forward is theirs: n += 1
  if n >= 2: draw
",
    ),
    simple(
        "a loop left early",
        "
moves
  let s = mine
  for a in s
    if a.forward is theirs
      move a to a.forward
      break
",
        "
moves
  for k in 0..19
    let a = square(k)
    if a is mine and a.forward is theirs
      move a to a.forward
      break
",
    ),
    Pair {
        name: "a set changed in its loop",
        shared: MARKS,
        by_sets: "
moves
  let left = mine
  for a in left
    left = left - neighbours(a, orthogonal)
    move take a
",
        helpers: "
action clear()
  for k in 0..19: set mark[k] = no

action strike(a: square)
  for d in orthogonal
    let b = a + d
    if b.exists: set mark[number(b)] = yes

procedure visit(k: int)
  let a = square(k)
  if a is mine and not mark[k]
    move take a
    try strike(a): visit(k + 1)
  elif k < 20
    visit(k + 1)
",
        plainly: "
moves
  try clear(): visit(0)
",
    },
    simple(
        "a set chosen by a branch",
        "
result
  let s = mine
  if c2 is stone: s = theirs
  if any s & rank(1): draw
",
        "
result
  let other = no
  if c2 is stone: other = yes
  let found = no
  for i in 1..5
    if other and at(i, 1) is theirs: found = yes
    if not other and at(i, 1) is mine: found = yes
  if found: draw
",
    ),
    Pair {
        name: "a set through a function",
        shared: "",
        by_sets: "
function loose(s: set): set
  return s - neighbours(theirs, orthogonal)

result
  if count(loose(mine)) >= 2: draw
",
        helpers: "
function is_loose(a: square): bool
  for d in orthogonal
    if a + d is theirs: return no
  return yes
",
        plainly: "
result
  let n = 0
  for k in 0..19
    if square(k) is mine and is_loose(square(k)): n += 1
  if n >= 2: draw
",
    },
];

/// Lines of squares.
static LINES: [Pair; 5] = [
    simple(
        "three on a line",
        "
result
  for a in mine
    for d in [east, north, northeast, northwest]
      if count(line(a, d, 3) & mine) == 3: draw
",
        "
result
  for k in 0..19
    for d in [east, north, northeast, northwest]
      let n = 0
      let a = square(k)
      for i in 1..3
        if a is mine: n += 1
        a = a + d
      if n == 3: draw
",
    ),
    simple(
        "a free line",
        "
moves
  for a in mine
    for d in eight
      if no line(a + d, d, 2) & occupied: move a to a + d + d
",
        "
moves
  for k in 0..19
    for d in eight
      let a = square(k)
      let clear = yes
      if a + d is occupied: clear = no
      if a + d + d is occupied: clear = no
      if a is mine and clear: move a to a + d + d
",
    ),
    simple(
        "as far as there are men",
        "
moves
  for a in mine
    for d in eight
      let b = a + count(axis(a, d) & occupied) * d
      if b is not mine: move a to b
",
        "
moves
  for k in 0..19
    let a = square(k)
    if a is mine
      for d in eight
        let n = 1
        for c from a along d
          if c is occupied: n += 1
        for c from a along -d
          if c is occupied: n += 1
        let b = a + n * d
        if b is not mine: move a to b
",
    ),
    simple(
        "a number of men on an axis",
        "
moves
  for a in mine
    for d in [north, east]
      if count(axis(a, d) & occupied) <= 2: move a to a + d
",
        "
moves
  for k in 0..19
    let a = square(k)
    if a is mine
      for d in [north, east]
        let n = 1
        for c from a along d
          if c is occupied: n += 1
        for c from a along -d
          if c is occupied: n += 1
        if n <= 2: move a to a + d
",
    ),
    simple(
        "nothing between",
        "
moves
  for a in mine
    for d in eight
      let b = a + d + d + d
      if b is not mine and no between(a, b) & occupied: move a to b
",
        "
moves
  for k in 0..19
    let a = square(k)
    for d in eight
      let b = a + d + d + d
      let n = 0
      if a + d is occupied: n += 1
      if a + d + d is occupied: n += 1
      if a is mine and b is not mine and n == 0: move a to b
",
    ),
];

/// Strings, their liberties, and what is connected.
static FLOODS: [Pair; 9] = [
    flooded(
        "connected",
        "
result
  if any flood(mine & rank(1), mine, orthogonal) & rank(4): draw
",
        "
action from_below()
  clear()
  for i in 1..5: spread(at(i, 1), me, orthogonal)

result
  let there = no
  try from_below()
    for i in 1..5
      if mark[number(at(i, 4))]: there = yes
  if there: draw
",
    ),
    flooded(
        "connected, by sweeps",
        "
result
  if c4 in flood(c1, mine, orthogonal): draw
",
        "
action sweep()
  for k in 0..19
    let a = square(k)
    let near = no
    for d in orthogonal
      let b = a + d
      if b.exists and mark[number(b)]: near = yes
    if near and a is mine: set mark[k] = yes

action all_sweeps()
  clear()
  if c1 is mine: set mark[number(c1)] = yes
  for i in 1..10: sweep()

result
  let there = no
  try all_sweeps()
    there = mark[number(c4)]
  if there: draw
",
    ),
    flooded(
        "not connected",
        "
result
  if c1 is mine and no flood(c1, mine, orthogonal) & rank(4): draw
",
        "
result
  let there = no
  try clear(), spread(c1, me, orthogonal)
    for i in 1..5
      if mark[number(at(i, 4))]: there = yes
  if c1 is mine and not there: draw
",
    ),
    flooded(
        "a string with a liberty",
        "
moves
  for a in empty
    let alive = no
    try put my man on a
      alive = any neighbours(flood(a, mine, orthogonal), orthogonal) & empty
    if alive: move put my man on a
",
        "
moves
  for k in 0..19
    let a = square(k)
    if a is empty
      let n = 0
      try put my man on a
        n = liberties(a, me)
      if n > 0: move put my man on a
",
    ),
    flooded(
        "a string without one",
        "
result
  for a in theirs
    if no neighbours(flood(a, theirs, orthogonal), orthogonal) & empty: draw
",
        "
result
  for k in 0..19
    let a = square(k)
    if a is theirs and liberties(a, opponent) == 0: draw
",
    ),
    flooded(
        "few liberties",
        "
result
  let string = flood(c2, mine, orthogonal)
  if count(neighbours(string, orthogonal) & empty) <= 1: draw
",
        "
result
  if liberties(c2, me) <= 1: draw
",
    ),
    flooded(
        "a large string",
        "
result
  if count(flood(c2, mine, orthogonal)) >= 4: draw
",
        "
result
  if size(c2, me) >= 4: draw
",
    ),
    flooded(
        "the size of a string",
        "
result
  score count(flood(c2, mine, orthogonal))
",
        "
result
  score size(c2, me)
",
    ),
    flooded(
        "all men in one string",
        "
result
  if any mine and no (mine - flood(first(mine), mine, eight)): draw
",
        "
result
  let k = 0
  while k < 20 and square(k) is not mine: k += 1
  let whole = k < 20
  try clear(), spread(square(k), me, eight)
    for j in 0..19
      if square(j) is mine and not mark[j]: whole = no
  if whole: draw
",
    ),
];

/// What moves do to whole sets.
static EFFECTS: [Pair; 7] = [
    simple(
        "take a set",
        "
moves
  for a in mine
    move take a
      take neighbours(a, eight) & theirs
",
        "
moves
  for k in 0..19
    let a = square(k)
    if a is mine
      move take a
        for d in eight
          if a + d is theirs: take a + d
",
    ),
    simple(
        "put on a set",
        "
moves
  for a in stone
    move take a
      put my man on axis(a, north) & theirs
",
        "
moves
  for k in 0..19
    let a = square(k)
    if a is stone
      move take a
        for j in 1..4
          let b = at(a.file, j)
          if b is theirs: put my man on b
",
    ),
    Pair {
        name: "capture",
        shared: MARKS,
        by_sets: "
action capture(a: square)
  for d in orthogonal
    let string = flood(a + d, theirs, orthogonal)
    if no neighbours(string, orthogonal) & empty: take string

moves
  for a in empty
    if any neighbours(a, orthogonal) & theirs: move put my man on a, capture(a)
",
        helpers: SPREAD,
        plainly: "
action remove(a: square)
  if a is theirs
    take a
    for d in orthogonal: remove(a + d)

action capture(a: square)
  for d in orthogonal
    if a + d is theirs and liberties(a + d, opponent) == 0: remove(a + d)

moves
  for k in 0..19
    let a = square(k)
    let near = no
    for d in orthogonal
      if a + d is theirs: near = yes
    if a is empty and near: move put my man on a, capture(a)
",
    },
    Pair {
        name: "take a string",
        shared: MARKS,
        by_sets: "
action clear_away(a: square)
  take flood(a, mine, orthogonal)

moves
  for a in mine
    if count(flood(a, mine, orthogonal)) >= 2: move clear_away(a), write a
",
        helpers: SPREAD,
        plainly: "
action clear_away(a: square)
  if a is mine
    take a
    for d in orthogonal: clear_away(a + d)

moves
  for k in 0..19
    let a = square(k)
    if size(a, me) >= 2: move clear_away(a), write a
",
    },
    Pair {
        name: "squares added to a cell",
        shared: "",
        by_sets: "
cell kept: set

moves
  for a in empty - kept
    move put my man on a
      set kept += neighbours(a, orthogonal) & mine
",
        helpers: "
cell kept[20]: bool
",
        plainly: "
moves
  for k in 0..19
    let a = square(k)
    if a is empty and not kept[k]
      move put my man on a
        for d in orthogonal
          if a + d is mine: set kept[number(a + d)] = yes
",
    },
    Pair {
        name: "squares removed from a cell",
        shared: "",
        by_sets: "
cell kept: set

moves
  for a in kept & theirs
    move take a
      set kept -= neighbours(a, eight) & empty
",
        helpers: "
cell kept[20]: bool
",
        plainly: "
moves
  for k in 0..19
    let a = square(k)
    if kept[k] and a is theirs
      move take a
        for d in eight
          if a + d is empty: set kept[number(a + d)] = no
",
    },
    Pair {
        name: "a cell that gets a set",
        shared: "",
        by_sets: "
cell kept: set

moves
  if count(kept) >= 3
    move pass
      set kept = shift(mine, north) & empty
",
        helpers: "
cell kept[20]: bool
",
        plainly: "
moves
  let n = 0
  for k in 0..19
    if kept[k]: n += 1
  if n >= 3
    move pass
      for k in 0..19
        set kept[k] = square(k).south is mine and square(k) is empty
",
    },
];
