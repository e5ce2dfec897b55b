//! Types of expressions and constant values.

use std::fmt;

use ludex_ir::{Bits, PathOf};

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Type {
    /// A whole number.
    Int,
    /// A truth value.
    Bool,
    /// A square, or none.
    Square,
    /// A direction, or none.
    Direction,
    /// A constant list of directions.
    Directions,
    /// A kind of man, or none.
    Kind,
    /// A player, or none.
    Player,
    /// A set of squares.
    Set,
    /// A path.
    Path(PathOf),
    /// The empty path, before it is known what it is made of.
    EmptyPath,
    /// A real number.
    Real,
    /// `none`, before it is known of what.
    None,
    /// A word of an option.
    Word,
    /// A text.
    Text,
    /// An error has been reported; it fits everywhere so that one mistake gives one message.
    Broken,
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Int => "a whole number",
            Self::Bool => "a truth value",
            Self::Square => "a square",
            Self::Direction => "a direction",
            Self::Directions => "a list of directions",
            Self::Kind => "a kind of man",
            Self::Player => "a player",
            Self::Set => "a set of squares",
            Self::Path(PathOf::Squares) => "a path of squares",
            Self::Path(PathOf::Directions) => "a path of directions",
            Self::EmptyPath => "a path",
            Self::Real => "a real number",
            Self::None => "none",
            Self::Word => "a word of an option",
            Self::Text => "a text",
            Self::Broken => "something wrong",
        })
    }
}

impl Type {
    /// Whether a value of this type may be -1 for none.
    pub(crate) fn has_none(self) -> bool {
        matches!(self, Self::Square | Self::Direction | Self::Kind | Self::Player)
    }
}

/// A value known before the game is played.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Const {
    /// A whole number.
    Int(i64),
    /// A real.
    Real(f64),
    /// A truth value.
    Bool(bool),
    /// A square.
    Square(usize),
    /// A direction, by its number in the geometry.
    Direction(u16),
    /// A kind.
    Kind(u8),
    /// A player.
    Player(u8),
    /// A set of squares.
    Set(Bits),
    /// `none`.
    None,
    /// A list.
    List(Vec<Const>),
    /// A word of an option.
    Word(String),
    /// A text.
    Text(String),
}

impl Const {
    /// The type of the value; a list has none of its own.
    pub(crate) fn ty(&self) -> Option<Type> {
        Some(match self {
            Self::Int(_) => Type::Int,
            Self::Real(_) => Type::Real,
            Self::Bool(_) => Type::Bool,
            Self::Square(_) => Type::Square,
            Self::Direction(_) => Type::Direction,
            Self::Kind(_) => Type::Kind,
            Self::Player(_) => Type::Player,
            Self::Set(_) => Type::Set,
            Self::None => Type::None,
            Self::List(items) => {
                return (!items.is_empty()
                    && items.iter().all(|it| matches!(it, Self::Direction(_))))
                .then_some(Type::Directions);
            }
            Self::Word(_) => Type::Word,
            Self::Text(_) => Type::Text,
        })
    }

    /// The number that stands for the value in a register.
    pub(crate) fn number(&self) -> Option<i64> {
        Some(match *self {
            Self::Int(value) => value,
            Self::Real(value) => value.to_bits() as i64,
            Self::Bool(value) => i64::from(value),
            Self::Square(value) => value as i64,
            Self::Direction(value) => i64::from(value),
            Self::Kind(value) | Self::Player(value) => i64::from(value),
            Self::None => -1,
            _ => return None,
        })
    }
}
