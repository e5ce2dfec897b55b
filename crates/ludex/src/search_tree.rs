//! The tree of a small alpha-beta search, as it is drawn on a blackboard.
//!
//! Squares are positions of the player who maximises, circles those of the opponent. Inside is
//! the value, below the window with which the search came, on the branch the move. A branch that
//! was cut is dashed and struck through; the best line is bold.

use std::fmt::{self, Write as _};

use ludex_core::Position;
use ludex_search::baselines::tree::{ByHand, TreeError, TreeNode, WON, alpha_beta_tree};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::game::LoadedGame;
use crate::schema::Schema;

/// More nodes than this cannot be read.
const MOST_NODES: usize = 600;

/// Room for a leaf, and for a ply.
const LEAF_WIDTH: f64 = 46.0;
const PLY_HEIGHT: f64 = 110.0;
const MARGIN: f64 = 40.0;
/// Half the side of a square.
const HALF: f64 = 17.0;

/// The tree of a small alpha-beta search: `ludex.search-tree/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchTree {
    /// `ludex.search-tree/1`.
    pub schema: Schema<1>,
    /// The best move.
    pub best: Option<String>,
    /// The value of the position for the player to move.
    pub value: Option<f64>,
    /// How many positions were searched.
    pub nodes: usize,
    /// How many branches were cut.
    pub cut: usize,
    /// The drawing, as SVG.
    pub svg: String,
}

/// Searches `depth` plies deep by alpha-beta, and draws the tree.
pub fn draw(loaded: &LoadedGame, position: &Position, depth: u32) -> Result<SearchTree> {
    let tree = alpha_beta_tree(&loaded.game, position, &ByHand, depth, MOST_NODES);
    let tree = tree.map_err(|error| refusal(loaded, error, depth))?;
    let cut = tree.cuts();
    Ok(SearchTree {
        schema: Schema::of("search-tree"),
        best: best_child(&tree).map(|it| tree.children[it].name.clone()),
        value: tree.value,
        nodes: tree.size() - cut,
        cut,
        svg: svg(&tree),
    })
}

/// In a line, without the drawing.
impl fmt::Display for SearchTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value.map(value_text).unwrap_or_default();
        write!(f, "best: {}, value {value}", self.best.as_deref().unwrap_or("-"))
    }
}

fn refusal(loaded: &LoadedGame, error: TreeError, depth: u32) -> Error {
    match error {
        TreeError::Fault(fault) => loaded.blame(fault),
        TreeError::TooLarge => {
            let message = format!("the tree of depth {depth} has more than {MOST_NODES} positions");
            let help = "only small trees can be read: choose a smaller --depth or a later position";
            Error::with_help(message, help)
        }
    }
}

/// The first child that has the node's own value.
fn best_child(node: &TreeNode) -> Option<usize> {
    node.children.iter().position(|it| it.value.is_some() && it.value == node.value)
}

fn value_text(value: f64) -> String {
    if value.abs() >= WON {
        return if value > 0.0 { "win".to_owned() } else { "loss".to_owned() };
    }
    if value == 0.0 {
        "0".to_owned()
    } else {
        format!("{value:+.3}").trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

fn bound_text(bound: f64) -> String {
    if bound == f64::INFINITY {
        "+∞".to_owned()
    } else if bound == f64::NEG_INFINITY {
        "−∞".to_owned()
    } else {
        value_text(bound)
    }
}

/// A node with its place.
struct Drawn<'t> {
    node: &'t TreeNode,
    at: (f64, f64),
    children: Vec<Drawn<'t>>,
}

/// Places a node and what is below it; `next` is where the next leaf goes.
fn lay_out<'t>(node: &'t TreeNode, ply: u32, next: &mut f64) -> Drawn<'t> {
    let children: Vec<Drawn<'t>> =
        node.children.iter().map(|it| lay_out(it, ply + 1, next)).collect();
    let x = match (children.first(), children.last()) {
        (Some(first), Some(last)) => f64::midpoint(first.at.0, last.at.0),
        _ => {
            let x = *next;
            *next += LEAF_WIDTH;
            x
        }
    };
    Drawn { node, at: (x, MARGIN + f64::from(ply) * PLY_HEIGHT), children }
}

fn depth(node: &TreeNode) -> u32 {
    node.children.iter().map(|it| 1 + depth(it)).max().unwrap_or(0)
}

/// The drawing.
fn svg(tree: &TreeNode) -> String {
    let mut next = MARGIN;
    let drawn = lay_out(tree, 0, &mut next);
    let width = next + MARGIN;
    let height = 2.0 * MARGIN + f64::from(depth(tree)) * PLY_HEIGHT + 40.0;
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"11\" \
         text-anchor=\"middle\">\n\
         <title>Alpha-beta: {} positions, {} cuts</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        tree.size() - tree.cuts(),
        tree.cuts(),
    );
    branches(&mut out, &drawn, true);
    nodes(&mut out, &drawn);
    let _ = write!(
        out,
        "<text x=\"{MARGIN}\" y=\"{}\" text-anchor=\"start\" fill=\"#555\">square: max, circle: \
         min, below: window, dashed: cut</text>\n</svg>\n",
        height - 10.0,
    );
    out
}

/// The branches below a node: `is_best_line` where it is on the best line.
fn branches(out: &mut String, drawn: &Drawn<'_>, is_best_line: bool) {
    let best = best_child(drawn.node).filter(|_| is_best_line);
    let from = (drawn.at.0, drawn.at.1 + HALF);
    for (number, child) in drawn.children.iter().enumerate() {
        let to = (child.at.0, child.at.1 - HALF);
        let is_best = best == Some(number);
        let style = if child.node.is_cut() {
            "stroke=\"#c00\" stroke-dasharray=\"4 3\""
        } else if is_best {
            "stroke=\"#06c\" stroke-width=\"3\""
        } else {
            "stroke=\"#888\""
        };
        let _ = writeln!(
            out,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" {style}/>",
            from.0, from.1, to.0, to.1,
        );
        if child.node.is_cut() {
            strike(out, from, to);
        }
        // Nearer to the child, where branches are apart.
        let at = (from.0 + 0.8 * (to.0 - from.0), from.1 + 0.8 * (to.1 - from.1));
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" stroke=\"white\" stroke-width=\"3\" \
             paint-order=\"stroke\">{}</text>",
            at.0,
            at.1,
            escaped(&child.node.name),
        );
        branches(out, child, is_best);
    }
}

/// Two short strokes across the middle of a branch.
fn strike(out: &mut String, from: (f64, f64), to: (f64, f64)) {
    let middle = (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1));
    for shift in [-3.0, 3.0] {
        let (x, y) = (middle.0, middle.1 + shift);
        let _ = writeln!(
            out,
            "<line x1=\"{:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\" stroke=\"#c00\" \
             stroke-width=\"2\" class=\"cut\"/>",
            x - 7.0,
            x + 7.0,
        );
    }
}

fn nodes(out: &mut String, drawn: &Drawn<'_>) {
    let (x, y) = drawn.at;
    let node = drawn.node;
    let (fill, stroke) = match node.value {
        None => ("#fee", "#c00"),
        Some(_) if node.over => ("#ddd", "#333"),
        Some(_) => ("#eef6ff", "#333"),
    };
    let paint = format!("fill=\"{fill}\" stroke=\"{stroke}\"");
    if node.maximises {
        let (left, top, side) = (x - HALF, y - HALF, 2.0 * HALF);
        let _ = writeln!(
            out,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side}\" height=\"{side}\" {paint}/>"
        );
    } else {
        let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{HALF}\" {paint}/>");
    }
    if let Some(value) = node.value {
        let _ =
            writeln!(out, "<text x=\"{x:.1}\" y=\"{:.1}\">{}</text>", y + 4.0, value_text(value));
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"7\" fill=\"#555\">({}, {})</text>",
            y + HALF + 9.0,
            bound_text(node.window.0),
            bound_text(node.window.1),
        );
    }
    for child in &drawn.children {
        nodes(out, child);
    }
}

/// A name as it may stand in a drawing.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_the_drawing() {
        assert_eq!(escaped("a<b&c>"), "a&lt;b&amp;c&gt;");
    }

    #[test]
    fn values_are_short() {
        assert_eq!(value_text(0.0), "0");
        assert_eq!(value_text(1.5), "+1.5");
        assert_eq!(value_text(-2.0), "-2");
        assert_eq!(value_text(WON), "win");
        assert_eq!(bound_text(f64::INFINITY), "+∞");
    }
}
