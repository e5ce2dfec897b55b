//! Players and evaluations by name.
//!
//! A registry is a value. [`Registry::standard`] has ours; a program adds its own and hands the
//! registry on.
//!
//! ```text
//! "alphabeta:eval=mine" ──> Spec ──> PlayerFamily ──> GamePlayer
//!                                        └── eval=mine ──> EvaluationFamily
//! ```

use std::fmt;

use ludex_core::{Game, GameInfo};

use crate::evaluation::{self, EvaluationChoice, EvaluationFamily};
use crate::player::{GamePlayer, PlayerOptions};
use crate::profile::Profiles;
use crate::spec::{Spec, SpecError};
use crate::support::Unsupported;
use crate::{alphabeta, auto, baselines, montecarlo, nested, proof};

/// A player, or why its options are wrong.
pub type MadePlayer<G> = Result<Box<dyn GamePlayer<G>>, SpecError>;

/// Makes a player from its options.
type MakePlayer<G> = dyn Fn(&mut Spec, &Registry<G>, PlayerOptions) -> MadePlayer<G> + Send + Sync;

/// Players that share a name and differ in their options.
pub struct PlayerFamily<G: Game> {
    name: String,
    summary: String,
    supports: fn(&GameInfo) -> Result<(), Unsupported>,
    make: Box<MakePlayer<G>>,
}

impl<G: Game> PlayerFamily<G> {
    /// A family with its name, what it is in a line, the games it plays (see
    /// [`support`](crate::support)) and how a player of it is made.
    pub fn new(
        name: impl Into<String>,
        summary: impl Into<String>,
        supports: fn(&GameInfo) -> Result<(), Unsupported>,
        make: impl Fn(&mut Spec, &Registry<G>, PlayerOptions) -> MadePlayer<G> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), summary: summary.into(), supports, make: Box::new(make) }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is, in a line.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// Whether it plays games like this one.
    pub fn supports(&self, info: &GameInfo) -> Result<(), Unsupported> {
        (self.supports)(info)
    }
}

/// Players and evaluations by name.
///
/// An evaluation written in Rust becomes an option of alpha-beta:
///
/// ```
/// use std::sync::Arc;
///
/// use ludex_core::{Fault, Game, GameExt, Limits, PositionOf};
/// use ludex_search::evaluation::{Evaluate, EvaluationFamily, Standpoint};
/// use ludex_search::{PlayerOptions, Registry, SearchRoot};
/// use ludex_testkit::TicTacToe;
///
/// /// The more moves the player to move has, the better.
/// struct Choices;
///
/// impl<G: Game> Evaluate<G> for Choices {
///     fn evaluate(&self, game: &G, position: &PositionOf<G>, _: Standpoint) -> Result<i32, Fault> {
///         Ok(100 * game.count_moves(position)? as i32)
///     }
///
///     fn describe(&self) -> String {
///         "the number of moves".to_owned()
///     }
/// }
///
/// let mut registry = Registry::standard();
/// registry.add_evaluation(EvaluationFamily::ready("choices", "my moves", Arc::new(Choices)));
/// let mut player = registry.player("alphabeta:eval=choices", PlayerOptions::default())?;
///
/// let position = TicTacToe.start();
/// let root = SearchRoot { game: &TicTacToe, position: &position };
/// let result = player.search(root, Limits::of_nodes(1_000), &mut |_| {})?;
/// assert!(result.best().is_some());
/// assert_eq!(player.describe(), "alpha-beta with the number of moves");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Registry<G: Game> {
    players: Vec<PlayerFamily<G>>,
    evaluations: Vec<EvaluationFamily<G>>,
    profiles: Profiles<G>,
}

impl<G: Game> fmt::Debug for Registry<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.players.iter().map(PlayerFamily::name)).finish()
    }
}

impl<G: Game + 'static> Registry<G> {
    /// The players and evaluations of this crate.
    pub fn standard() -> Self {
        let players = [
            auto::families(),
            alphabeta::families(),
            montecarlo::families(),
            nested::families(),
            proof::families(),
            baselines::families(),
        ];
        let evaluations = evaluation::families();
        Self { players: players.into_iter().flatten().collect(), evaluations, ..Self::empty() }
    }
}

impl<G: Game> Registry<G> {
    /// A registry with no players and no evaluations.
    pub fn empty() -> Self {
        Self { players: Vec::new(), evaluations: Vec::new(), profiles: Profiles::default() }
    }

    /// Adds a family of players, in place of one of the same name.
    pub fn add_player(&mut self, family: PlayerFamily<G>) {
        self.players.retain(|it| it.name != family.name);
        self.players.push(family);
    }

    /// Adds an evaluation, in place of one of the same name.
    pub fn add_evaluation(&mut self, family: EvaluationFamily<G>) {
        self.evaluations.retain(|it| it.name() != family.name());
        self.evaluations.push(family);
    }

    /// All families of players.
    pub fn players(&self) -> &[PlayerFamily<G>] {
        &self.players
    }

    /// All evaluations.
    pub fn evaluations(&self) -> &[EvaluationFamily<G>] {
        &self.evaluations
    }

    /// What was measured of games, for all players of this registry.
    pub(crate) fn profiles(&self) -> &Profiles<G> {
        &self.profiles
    }

    /// The family of this name.
    pub fn family(&self, name: &str) -> Result<&PlayerFamily<G>, SpecError> {
        let names = || self.players.iter().map(PlayerFamily::name);
        let found = self.players.iter().find(|it| it.name == name);
        found.ok_or_else(|| SpecError::unknown("player", name, names()))
    }

    /// The player that a text stands for: a name, and options after a colon.
    pub fn player(&self, text: &str, options: PlayerOptions) -> MadePlayer<G> {
        self.make(text.parse()?, options)
    }

    /// The player of a spec. Every player has the options `threads`, `seed` and `memory` (in
    /// megabytes); those that are not given are as in `options`.
    pub fn make(&self, mut spec: Spec, options: PlayerOptions) -> MadePlayer<G> {
        let family = self.family(&spec.name)?;
        let options = options.with(&mut spec)?;
        let player = (family.make)(&mut spec, self, options)?;
        spec.done()?;
        Ok(player)
    }

    /// The evaluation that the option `eval` of a player names, with its own options; the one
    /// called `usual` where nothing is said.
    pub fn evaluation(
        &self,
        spec: &mut Spec,
        usual: &str,
    ) -> Result<EvaluationChoice<G>, SpecError> {
        let name = spec.take("eval", usual.to_owned())?;
        let Some(family) = self.evaluations.iter().find(|it| it.name() == name) else {
            let names = self.evaluations.iter().map(EvaluationFamily::name);
            let error = SpecError::unknown("evaluation", &name, names);
            return Err(SpecError { at: spec.error("eval", "").at, ..error });
        };
        family.choose(spec)
    }
}

/// The player that a text stands for, of those of this crate: see [`Registry::player`].
pub fn player<G: Game + 'static>(text: &str, options: PlayerOptions) -> MadePlayer<G> {
    Registry::standard().player(text, options)
}

#[cfg(test)]
mod tests {
    use ludex_testkit::TicTacToe;

    use super::*;
    use crate::baselines::random::RandomMover;
    use crate::support::two_opponents;

    #[test]
    fn another_program_adds_its_players() {
        let mut registry = Registry::<TicTacToe>::standard();
        let count = registry.players().len();
        for name in ["mine", "random"] {
            let make = |spec: &mut Spec, _: &Registry<TicTacToe>, options: PlayerOptions| {
                let seed = spec.take("luck", options.seed)?;
                Ok(Box::new(RandomMover::new(seed)) as Box<dyn GamePlayer<TicTacToe>>)
            };
            registry.add_player(PlayerFamily::new(name, "a player of ours", two_opponents, make));
        }
        assert_eq!(registry.players().len(), count + 1, "one of the two is in place of another");
        let options = PlayerOptions::default();
        for text in ["mine:luck=3", "random:luck=3,threads=2"] {
            assert!(registry.player(text, options).is_ok(), "{text}");
        }
        let error = registry.player("mine:lucky=3", options).err().expect("it is misspelt");
        assert_eq!(error.to_string(), "`mine` has no option `lucky`; did you mean `luck`?");
        let puzzle = GameInfo::puzzle("Player");
        let family = registry.family("mine").expect("it was added");
        assert_eq!(family.supports(&puzzle), Err(Unsupported::TwoPlayersOnly));
    }

    #[test]
    fn unknown_names_are_told_with_the_nearest() {
        let registry = Registry::<TicTacToe>::standard();
        let mistake = |text: &str| {
            let made = registry.player(text, PlayerOptions::default());
            made.err().expect("it is a mistake")
        };
        let error = mistake("alphabta");
        assert_eq!(error.to_string(), "there is no player `alphabta`; did you mean `alphabeta`?");
        assert_eq!(error.at, None);
        let error = mistake("minimax:depth=2,eval=mobilty");
        assert_eq!(error.help.as_deref(), Some("did you mean `mobility`?"));
        assert_eq!(error.at, Some(16..28));
    }
}
