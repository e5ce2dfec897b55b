//! Enumerations as words, for both directions of the text form.

use crate::inst::{Binary, OutcomeKind, PathOf, SetBinary, Unary};
use crate::program::{ArrayRole, GridKind, History, OperandKind};

/// A value written as one word.
pub(super) trait Word: Sized {
    /// What to call the kind of thing in messages.
    const WHAT: &'static str;
    /// Its word.
    fn word(&self) -> &'static str;
    /// The value of a word.
    fn read(word: &str) -> Option<Self>;
}

macro_rules! words {
    ($($type:ty, $what:literal: $($variant:ident $word:literal),+;)+) => {$(
        impl Word for $type {
            const WHAT: &'static str = $what;

            fn word(&self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            fn read(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    )+};
}

impl Word for bool {
    const WHAT: &'static str = "`include` or `exclude`";

    fn word(&self) -> &'static str {
        if *self { "include" } else { "exclude" }
    }

    fn read(word: &str) -> Option<Self> {
        ["exclude", "include"].iter().position(|it| *it == word).map(|it| it == 1)
    }
}

words! {
    Unary, "an operation on a number":
        Neg "neg", Not "not", Abs "abs", Real "real", RNeg "rneg", RAbs "rabs", RExp "rexp",
        RTanh "rtanh", RSqrt "rsqrt", Opposite "opposite";
    Binary, "an operation on two numbers":
        Add "add", Sub "sub", Mul "mul", Div "div", Rem "rem", Min "min", Max "max", Eq "eq",
        Ne "ne", Lt "lt", Le "le", Distance "distance", RAdd "radd", RSub "rsub", RMul "rmul",
        RDiv "rdiv", RMin "rmin", RMax "rmax", REq "req", RLt "rlt", RLe "rle";
    SetBinary, "an operation on two sets":
        Union "union", Intersection "intersection", Difference "difference";
    OutcomeKind, "an outcome":
        Victory "victory", Loss "loss", Draw "draw", Score "score";
    PathOf, "`squares` or `directions`":
        Squares "squares", Directions "directions";
    ArrayRole, "a role of an array":
        Board "board", Turn "turn", Number "number", Bool "bool", Square "square",
        Player "player", Kind "kind", Set "set", Counter "counter";
    OperandKind, "a kind of operand":
        Bool "bool", Square "square", Direction "direction", Directions "directions",
        Kind "kind", Player "player", Number "number", PathOfSquares "path_of_squares",
        PathOfDirections "path_of_directions";
    History, "a kind of history":
        None "none", Board "board", Position "position";
    GridKind, "a kind of grid":
        None "none", Square "square", Hex "hex", Graph "graph";
}
