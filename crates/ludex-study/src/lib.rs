//! Reasons: the conditions on cells that made a move or a result possible.
