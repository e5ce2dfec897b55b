//! Evaluations by name, and the one for a game that nobody has an opinion of.

use std::fmt;
use std::str::FromStr;

use ludex_core::{Fault, Game, GameExt, Limits};

use super::{
    AuthorEvaluation, Evaluate, Learned, Material, Mobility, MobilityCount, NoEvaluation,
    PieceMobility, Playouts, Training, TrainingConfig,
};
use crate::player::PlayerOptions;
use crate::spec::{Spec, SpecError};
use crate::timing::Steps;

/// Which evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Choice {
    /// The file's own where it has one, and else a learned one.
    #[default]
    Auto,
    /// The file's own; 0 where it has none.
    File,
    /// My moves less yours.
    Mobility,
    /// My men less yours, all worth the same.
    Material,
    /// Men by how freely they move, and mobility; men that are worth the same where all are alike.
    PieceMobility,
    /// Learned by self-play.
    Learned,
    /// The mean of so many playouts.
    Playouts(u32),
    /// None: what is not over is worth 0.
    None,
}

impl FromStr for Choice {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Ok(match text {
            "auto" => Self::Auto,
            "file" => Self::File,
            "mobility" => Self::Mobility,
            "material" => Self::Material,
            "freedom" => Self::PieceMobility,
            "learned" => Self::Learned,
            "playouts" => Self::Playouts(Playouts::default().games),
            "none" => Self::None,
            _ => return Err(()),
        })
    }
}

/// The evaluation that a player was asked for: `eval=NAME`, and `playouts=N` for that one.
pub fn choose(spec: &mut Spec, usual: Choice) -> Result<Choice, SpecError> {
    match spec.take("eval", usual)? {
        Choice::Playouts(games) => Ok(Choice::Playouts(spec.take("playouts", games)?.max(1))),
        other => Ok(other),
    }
}

/// Whether the author of the rules has an opinion.
pub fn has_author_evaluation<G: Game>(game: &G) -> Result<bool, Fault> {
    let position = game.start();
    Ok(game.evaluate(&position, ludex_core::Player(0), 0)?.is_some())
}

/// The evaluation for a game: the file's own where it has one, and else one learned by a
/// self-play whose length is counted, so that it is the same every time.
pub fn default_for<G: Game>(
    game: &G,
    options: &PlayerOptions,
) -> Result<Box<dyn Evaluate<G>>, Fault> {
    if has_author_evaluation(game)? {
        return Ok(Box::new(AuthorEvaluation));
    }
    let config = TrainingConfig { seed: options.seed, ..TrainingConfig::default() };
    Ok(Box::new(Learned::from_self_play(game, &config)?))
}

/// The evaluation of a choice, made now and to the end.
pub fn made<G: Game>(
    choice: Choice,
    game: &G,
    learning: &TrainingConfig,
) -> Result<Box<dyn Evaluate<G>>, Fault> {
    match simple(choice, game, learning.seed)? {
        Some(made) => Ok(made),
        None => Ok(Box::new(Learned::from_self_play(game, learning)?)),
    }
}

/// An evaluation that is made when the game is known, and kept.
pub struct Chosen<G: Game> {
    choice: Choice,
    learning: TrainingConfig,
    /// The first position of the game that the rest belongs to.
    game: Option<G::State>,
    made: Option<Box<dyn Evaluate<G>>>,
    training: Option<Training<G>>,
    /// The freedom of men, while it is being counted.
    counting: Option<MobilityCount<G>>,
    /// How long games of learning take.
    steps: Steps,
}

impl<G: Game> fmt::Debug for Chosen<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chosen").field("choice", &self.choice).finish_non_exhaustive()
    }
}

impl<G: Game> Chosen<G> {
    /// Nothing made yet.
    pub fn new(choice: Choice, options: PlayerOptions) -> Self {
        let learning = TrainingConfig { seed: options.seed, ..TrainingConfig::default() };
        let steps = Steps::default();
        Self { choice, learning, game: None, made: None, training: None, counting: None, steps }
    }

    /// The same, with another way of learning.
    #[must_use]
    pub fn with_training(self, learning: TrainingConfig) -> Self {
        Self { learning, ..self }
    }

    /// An evaluation that somebody else has made.
    pub fn given(game: &G, evaluation: Box<dyn Evaluate<G>>) -> Self {
        let (choice, learning) = (Choice::Auto, TrainingConfig::default());
        let (game, made) = (Some(game.start().state), Some(evaluation));
        let (training, counting, steps) = (None, None, Steps::default());
        Self { choice, learning, game, made, training, counting, steps }
    }

    /// The evaluation, made now and to the end if it is not there yet.
    pub fn of(&mut self, game: &G) -> Result<&dyn Evaluate<G>, Fault> {
        self.advance(game, u64::MAX, |_| false)?;
        Ok(self.made.as_deref().expect("what nobody stops is made"))
    }

    /// The evaluation as far as it can be made within the limits. What a learner has not learned
    /// by then it learns the next time.
    pub fn within(&mut self, game: &G, limits: Limits<'_>) -> Result<(), Fault> {
        // Without a clock the work is counted, and done whole: then it is repeatable. It is in
        // some proportion to what may be thought afterwards.
        let timed = limits.is_timed();
        let most = match limits.nodes {
            Some(nodes) if !timed => nodes.saturating_mul(20).max(50_000),
            _ => u64::MAX,
        };
        let mut steps = self.steps;
        steps.begin();
        let stop = |work| timed && !steps.fit(limits) && work > 0;
        self.advance(game, most, stop)?;
        self.steps = steps;
        Ok(())
    }

    /// Whether there is nothing left to learn.
    pub fn is_ready(&self) -> bool {
        self.made.is_some() && self.training.is_none() && self.counting.is_none()
    }

    /// The evaluation as far as it is made.
    pub fn made(&self) -> Option<&dyn Evaluate<G>> {
        self.made.as_deref()
    }

    /// What it is, in a few words.
    pub fn describe(&self) -> String {
        match &self.made {
            Some(evaluation) => evaluation.describe(),
            None => format!("{:?}", self.choice).to_lowercase(),
        }
    }

    fn advance(
        &mut self,
        game: &G,
        most: u64,
        mut stop: impl FnMut(u64) -> bool,
    ) -> Result<(), Fault> {
        let start = game.start().state;
        if self.game.as_ref() != Some(&start) {
            (self.game, self.made) = (Some(start), None);
            (self.training, self.counting) = (None, None);
        }
        if self.choice == Choice::PieceMobility {
            return self.count(game, stop);
        }
        if self.made.is_none() && self.training.is_none() {
            match simple(self.choice, game, self.learning.seed)? {
                Some(made) => self.made = Some(made),
                None => {
                    let work = self.learning.work.min(most);
                    let learning = TrainingConfig { work, ..self.learning.clone() };
                    self.training = Some(Training::new(game, learning));
                }
            }
        }
        let Some(training) = &mut self.training else { return Ok(()) };
        let before = training.work();
        while !training.is_done() && !stop(training.work() - before) {
            training.step(game)?;
        }
        self.made = Some(Box::new(training.learned()));
        if training.is_done() {
            self.training = None;
        }
        Ok(())
    }

    /// Counts the freedom of men until it is done or `stop` says so.
    fn count(&mut self, game: &G, mut stop: impl FnMut(u64) -> bool) -> Result<(), Fault> {
        if self.made.is_none() && self.counting.is_none() {
            self.counting = Some(MobilityCount::new(game, self.learning.seed));
        }
        let Some(counting) = &mut self.counting else { return Ok(()) };
        let mut games = 0;
        while !counting.is_done() && !stop(games) {
            counting.step(game)?;
            games += 1;
        }
        self.made = Some(or_material(counting.piece_mobility()));
        if counting.is_done() {
            self.counting = None;
        }
        Ok(())
    }
}

/// Men by their freedom; all worth the same where nothing can be said.
fn or_material<G: Game>(piece_mobility: Option<PieceMobility>) -> Box<dyn Evaluate<G>> {
    match piece_mobility {
        Some(piece_mobility) => Box::new(piece_mobility),
        None => Box::new(Material::default()),
    }
}

/// An evaluation that needs no learning.
fn simple<G: Game>(
    choice: Choice,
    game: &G,
    seed: u64,
) -> Result<Option<Box<dyn Evaluate<G>>>, Fault> {
    Ok(Some(match choice {
        Choice::File => Box::new(AuthorEvaluation),
        Choice::Auto if has_author_evaluation(game)? => Box::new(AuthorEvaluation),
        Choice::Mobility => Box::new(Mobility::default()),
        Choice::Material => Box::new(Material::default()),
        Choice::PieceMobility => or_material(PieceMobility::of(game, seed)?),
        Choice::Playouts(games) => Box::new(Playouts { games, seed, ..Playouts::default() }),
        Choice::None => Box::new(NoEvaluation),
        Choice::Auto if game.players() != 2 => Box::new(Mobility::default()),
        Choice::Auto | Choice::Learned => return Ok(None),
    }))
}
