//! What a Monte-Carlo search does: one struct, of which every player of this folder is a setting.

use std::fmt;

/// The parameters of a Monte-Carlo tree search.
///
/// ```
/// use ludex_search::montecarlo::McConfig;
///
/// let grave = McConfig::preset("grave").unwrap();
/// assert_eq!(grave.amaf.unwrap().reference, 50);
/// let bold = McConfig { exploration: 0.2, ..McConfig::default() };
/// assert_ne!(bold, McConfig::default());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct McConfig {
    /// Weight of the exploration term, for rewards from 0 to 1 (`c`).
    pub exploration: f64,
    /// What an untried move counts as, the exploration term included (first-play urgency); `None`:
    /// untried moves first.
    pub first_play: Option<f64>,
    /// All moves as first: what is known of a move from playouts that had it later.
    pub amaf: Option<AmafConfig>,
    /// How playouts choose.
    pub policy: PolicyConfig,
    /// A playout that has not ended after this many turns counts as a draw for all.
    pub playout_plies: u32,
    /// After this many turns a playout is cut, and the evaluation says who won, where there is one.
    pub cut: Option<u32>,
    /// Share of the minimax value of evaluations in what a move is worth (implicit minimax
    /// backups); 0 without.
    pub implicit: f64,
    /// Whether proved values are backed up and what they decide is left alone.
    pub solver: bool,
    /// Whether a position reached in two ways is one node, where the past plays no role.
    pub transpositions: bool,
    /// Whether the tree is kept from move to move.
    pub reuse: bool,
    /// Weight of candidate moves: a candidate of weight 1 gets this divided by its visits plus one.
    pub candidate_weight: f64,
    /// A node's moves are listed when it is met again after this many playouts.
    pub open_at: u32,
    /// Whether each move is played on the board when a node's moves are listed, so that a game
    /// that ends by it is known at once.
    pub look: bool,
    /// How many positions are looked at for a forced win in a node that is met often; 0 for no
    /// such look.
    pub threats: u64,
    /// After how many playouts a node is searched for threats.
    pub threats_at: u32,
    /// Playouts where the budget has no limit that would ever end the search.
    pub playouts: u64,
}

/// How moves learn from playouts that had them later (RAVE and GRAVE).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AmafConfig {
    /// The table asked is that of the closest ancestor with more playouts than this, the node
    /// itself included. With 0 this is RAVE, else GRAVE.
    pub reference: u32,
    /// How fast playouts that began with the move outweigh the others.
    pub bias: f64,
}

/// How playouts choose their moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PolicyConfig {
    /// Each legal move is as likely as any other.
    Uniform,
    /// By the mean reward of each move in all playouts so far.
    Mast {
        /// How often a move is drawn by lot and not by its mean.
        epsilon: f64,
        /// With a temperature, moves are drawn by `exp(mean / temperature)` instead of taking the
        /// best.
        temperature: Option<f64>,
    },
    /// By the mean reward of the last few moves together.
    Ngram {
        /// How often a move is drawn by lot.
        epsilon: f64,
        /// Up to how many moves in a row are looked at.
        longest: usize,
        /// How often a sequence must have been seen to count.
        least: u32,
    },
    /// By weights that follow the winner's moves.
    Adaptive {
        /// How far a playout moves the weights.
        rate: f64,
        /// Whether what stands near the target is part of what a move is.
        features: bool,
        /// Whether the weights are kept from move to move of the game.
        keep: bool,
    },
}

impl AmafConfig {
    /// RAVE, with the bias of the paper on GRAVE.
    pub const RAVE: Self = Self { reference: 0, bias: 1e-5 };
    /// GRAVE.
    pub const GRAVE: Self = Self { reference: 50, bias: 1e-5 };
}

impl PolicyConfig {
    /// MAST as Tak, Winands and Björnsson found it best.
    pub const MAST: Self = Self::Mast { epsilon: 0.4, temperature: None };
    /// NST, from the same paper.
    pub const NGRAM: Self = Self::Ngram { epsilon: 0.4, longest: 3, least: 7 };
    /// PPA.
    pub const PPA: Self = Self::Adaptive { rate: 0.32, features: false, keep: false };
    /// PPA with features of moves.
    pub const PPAF: Self = Self::Adaptive { rate: 0.32, features: true, keep: false };
    /// The same with memory.
    pub const PPAFM: Self = Self::Adaptive { rate: 0.32, features: true, keep: true };
}

/// The setting of `mcts`: GRAVE that looks one turn ahead for the end of the game. The matches
/// behind it are in docs/experiments/mcts.md.
impl Default for McConfig {
    fn default() -> Self {
        Self {
            exploration: 0.0,
            first_play: Some(1.0),
            amaf: Some(AmafConfig { bias: 1e-4, ..AmafConfig::GRAVE }),
            policy: PolicyConfig::Uniform,
            playout_plies: 10_000,
            cut: None,
            implicit: 0.0,
            solver: true,
            transpositions: false,
            reuse: true,
            candidate_weight: 0.5,
            open_at: 1,
            look: true,
            threats: 0,
            threats_at: 32,
            playouts: 10_000,
        }
    }
}

impl McConfig {
    /// The setting of a player of this folder.
    pub fn preset(name: &str) -> Option<Self> {
        let usual = Self::default();
        let plain =
            Self { exploration: 0.4, first_play: None, amaf: None, look: false, ..usual.clone() };
        // The papers' algorithms explore by what they learn alone.
        let by_amaf = |amaf| Self {
            exploration: 0.0,
            first_play: Some(1.0),
            amaf: Some(amaf),
            ..plain.clone()
        };
        let by_playout = |policy| Self { policy, ..plain.clone() };
        Some(match name {
            "mcts" => usual,
            "rave" => by_amaf(AmafConfig::RAVE),
            "grave" => by_amaf(AmafConfig::GRAVE),
            "mast" => by_playout(PolicyConfig::MAST),
            "nst" => by_playout(PolicyConfig::NGRAM),
            "ppa" => by_playout(PolicyConfig::PPA),
            "ppaf" => by_playout(PolicyConfig::PPAF),
            "ppafm" => by_playout(PolicyConfig::PPAFM),
            "implicit" => Self { implicit: 0.4, cut: Some(4), ..plain },
            _ => return None,
        })
    }

    /// Whether anything asks for the codes of moves.
    pub(crate) fn needs_codes(&self) -> bool {
        self.amaf.is_some() || self.policy != PolicyConfig::Uniform
    }
}

impl fmt::Display for McConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "c={}", self.exploration)?;
        if let Some(amaf) = self.amaf {
            let name = if amaf.reference == 0 { "RAVE" } else { "GRAVE" };
            write!(f, ", {name} (reference {}, bias {})", amaf.reference, amaf.bias)?;
        }
        match self.policy {
            PolicyConfig::Uniform => {}
            PolicyConfig::Mast { .. } => write!(f, ", MAST playouts")?,
            PolicyConfig::Ngram { .. } => write!(f, ", n-gram playouts")?,
            PolicyConfig::Adaptive { features: false, .. } => write!(f, ", adaptive playouts")?,
            PolicyConfig::Adaptive { .. } => write!(f, ", adaptive playouts with features")?,
        }
        if let Some(plies) = self.cut {
            write!(f, ", playouts cut after {plies} plies")?;
        }
        if self.implicit > 0.0 {
            write!(f, ", implicit minimax {}", self.implicit)?;
        }
        if self.threats > 0 {
            write!(f, ", threats")?;
        }
        for (is, name) in [(self.solver, "solver"), (self.transpositions, "transpositions")] {
            if is {
                write!(f, ", {name}")?;
            }
        }
        Ok(())
    }
}
