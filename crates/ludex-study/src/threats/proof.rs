//! Proofs of wins by threats.

use std::rc::Rc;

use ludex_ir::PackedMove;

use super::shape::Shape;
use super::zone::Zone;

/// The attacker, whose turn it is, wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Win {
    /// The move to play.
    pub mv: PackedMove,
    /// The proof that it wins; `None` if it ends the game.
    pub then: Option<Rc<Hold>>,
}

/// The defender, whose turn it is, loses whatever he does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// What the attacker plays if the defender passes.
    pub threat: Threat,
    /// The defences and how each is refuted, in the order of the moves.
    pub replies: Vec<(PackedMove, Reply)>,
    /// How many other moves he has: they leave the threat as it is.
    pub others: usize,
    /// One of them, where that is known.
    pub other: Option<PackedMove>,
}

/// What the attacker threatens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Threat {
    /// A check: a king of the defender could be captured.
    Danger,
    /// The attacker wins; with the zone of the win if it takes more than one move.
    Win(Rc<Win>, Option<Rc<Zone>>),
}

/// The refutation of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It ends the game, and the attacker has won.
    Ends,
    /// The attacker wins.
    Win(Rc<Win>),
}

impl Win {
    /// Plies to the end of the game against the longest defence.
    pub fn plies(&self) -> u32 {
        1 + self.then.as_ref().map_or(0, |it| it.plies())
    }

    /// The smallest shape that it has, where `last` is that of a move that ends the game.
    pub fn shape(&self, last: &Shape) -> Shape {
        let Some(hold) = &self.then else { return last.clone() };
        let (left, right) = hold.shapes(last);
        Shape::new(Rc::new(left), Rc::new(right))
    }

    /// Adds all moves of both players in the proof.
    pub(super) fn add_moves(&self, moves: &mut Vec<PackedMove>) {
        moves.push(self.mv);
        let Some(hold) = &self.then else { return };
        if let Threat::Win(win, _) = &hold.threat {
            win.add_moves(moves);
        }
        for (mv, reply) in &hold.replies {
            moves.push(*mv);
            if let Reply::Win(win) = reply {
                win.add_moves(moves);
            }
        }
    }

    /// The line of play with the longest defence.
    pub fn line(&self) -> Vec<PackedMove> {
        let mut line = vec![self.mv];
        line.extend(self.then.iter().flat_map(|it| it.line()));
        line
    }
}

impl Hold {
    /// Plies to the end of the game with the longest defence.
    pub fn plies(&self) -> u32 {
        let replies = self.replies.iter().map(|(_, reply)| reply.plies());
        // Any other move is answered by the threat.
        let other = match &self.threat {
            Threat::Win(win, _) if self.others > 0 => Some(1 + win.plies()),
            _ => None,
        };
        replies.chain(other).max().unwrap_or(0)
    }

    /// The longest defence and the moves that follow.
    pub fn line(&self) -> Vec<PackedMove> {
        let longest = self.replies.iter().rev().max_by_key(|(_, reply)| reply.plies());
        let plies = longest.map_or(0, |it| it.1.plies());
        match (&self.threat, self.other, longest) {
            (Threat::Win(win, _), Some(other), _) if win.plies() >= plies => {
                [vec![other], win.line()].concat()
            }
            (_, _, Some((mv, Reply::Win(win)))) => [vec![*mv], win.line()].concat(),
            (_, _, Some((mv, Reply::Ends))) => vec![*mv],
            (_, _, None) => Vec::new(),
        }
    }

    /// The smallest shapes of what follows a pass and of what follows any reply, where `last` is
    /// that of a move that ends the game.
    fn shapes(&self, last: &Shape) -> (Shape, Shape) {
        let left = match &self.threat {
            Threat::Danger => Shape::one(),
            Threat::Win(win, _) => win.shape(last),
        };
        let wins = self.replies.iter().filter_map(|(_, reply)| match reply {
            Reply::Ends => None,
            Reply::Win(win) => Some(win.shape(last)),
        });
        let right = wins.fold(left.clone(), |all, one| all.joined(&one));
        (left, right)
    }

    /// The smallest shape of what follows any reply.
    pub fn shape(&self, last: &Shape) -> Shape {
        self.shapes(last).1
    }
}

impl Reply {
    fn plies(&self) -> u32 {
        match self {
            Self::Ends => 1,
            Self::Win(win) => 1 + win.plies(),
        }
    }
}
