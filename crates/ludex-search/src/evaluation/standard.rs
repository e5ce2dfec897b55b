//! The evaluations of this crate, by name.

use std::sync::Arc;

use ludex_core::{Fault, Game, GameExt, Player};

use super::{
    AuthorEvaluation, EvaluationChoice, EvaluationFamily, EvaluationStart, Material, Mobility,
    MobilityCount, NoEvaluation, PlayoutMean, Training,
};

/// The evaluations of this crate.
pub(crate) fn families<G: Game + 'static>() -> Vec<EvaluationFamily<G>> {
    let ready = EvaluationFamily::ready;
    vec![
        EvaluationFamily::new("auto", "the author's; without one, learned", |_| {
            Ok(author_or_learned())
        }),
        ready("file", "the author's; 0 without one", Arc::new(AuthorEvaluation)),
        ready("mobility", "my moves less yours", Arc::<Mobility>::default()),
        ready("material", "my men less yours, all worth the same", Arc::<Material>::default()),
        EvaluationFamily::new("freedom", "men by how freely they move, and mobility", |_| {
            Ok(by_piece_mobility())
        }),
        EvaluationFamily::new("learned", "learned by self-play", |_| Ok(learned())),
        EvaluationFamily::new("playouts", "the mean of playouts=N random games", |spec| {
            let games = spec.take("playouts", PlayoutMean::default().games)?.max(1);
            Ok(EvaluationChoice::new("playouts", move |_, config| {
                let mean = PlayoutMean { games, seed: config.seed, ..PlayoutMean::default() };
                Ok(EvaluationStart::Ready(Arc::new(mean)))
            }))
        }),
        ready("none", "0 in every position that is not over", Arc::new(NoEvaluation)),
    ]
}

/// Whether the author of the rules has written an evaluation.
pub fn has_author_evaluation<G: Game>(game: &G) -> Result<bool, Fault> {
    Ok(game.evaluate(&game.start(), Player(0), 0)?.is_some())
}

fn author_or_learned<G: Game + 'static>() -> EvaluationChoice<G> {
    EvaluationChoice::new("auto", |game: &G, config| {
        Ok(if has_author_evaluation(game)? {
            EvaluationStart::Ready(Arc::new(AuthorEvaluation))
        } else if game.players() != 2 {
            EvaluationStart::Ready(Arc::<Mobility>::default())
        } else {
            EvaluationStart::Training(Box::new(Training::new(game, config.clone())))
        })
    })
}

/// Mobility, which needs no training.
pub(crate) fn mobility<G: Game>() -> EvaluationChoice<G> {
    EvaluationChoice::ready("mobility", Arc::<Mobility>::default())
}

fn by_piece_mobility<G: Game + 'static>() -> EvaluationChoice<G> {
    EvaluationChoice::new("freedom", |game: &G, config| {
        Ok(EvaluationStart::Training(Box::new(MobilityCount::new(game, config.seed))))
    })
}

fn learned<G: Game + 'static>() -> EvaluationChoice<G> {
    EvaluationChoice::new("learned", |game: &G, config| {
        Ok(EvaluationStart::Training(Box::new(Training::new(game, config.clone()))))
    })
}
