//! That two engines give a search the same hints, and that these are true.

use ludex_core::{Capture, Game, GameExt, Player, State};
use ludex_interp::RulesGame;
use ludex_ir::PackedMove;

use super::{Engine, Pair};

/// Compares what both say about the men of a position, about passing and about each move.
pub(crate) fn check<E: Engine>(
    reference: &RulesGame,
    other: &E,
    pair: &Pair<E::State>,
    moves: &[PackedMove],
) -> Result<(), String> {
    let (mut men, mut others) = (Vec::new(), Vec::new());
    reference.men(&pair.position.state, &mut men);
    other.men(&pair.other.state, &mut others);
    others.sort_unstable();
    if men != others {
        return Err(format!("men {men:?} against {others:?}"));
    }
    let counts = counted(reference, &pair.position.state);
    if counts != counted(other, &pair.other.state) {
        return Err(format!("{counts:?} men of each kind, the other differs"));
    }
    let checked = reference.in_check(&pair.position);
    let theirs = other.in_check(&pair.other);
    if let (Ok(checked), Ok(theirs)) = (checked, theirs)
        && checked != theirs
    {
        return Err(format!("in check: {checked}, the other says {theirs}"));
    }
    let passed = other.null_move(&pair.other.state);
    if reference.null_move(&pair.position.state)
        != passed.as_ref().map(|it| other.reference_state(it))
    {
        return Err("another position after a pass".to_owned());
    }
    if let Some((mine, theirs)) = reference.null_move(&pair.position.state).zip(passed)
        && (mine.hash, mine.key) != (other.hash(&theirs), other.key(&theirs))
    {
        return Err("another hash after a pass".to_owned());
    }
    moves.iter().try_for_each(|&mv| same_move(reference, other, pair, mv))
}

fn counted<G: Game>(game: &G, state: &G::State) -> Vec<u32> {
    let mut counts = Vec::new();
    game.count_men(state, &mut counts);
    counts
}

/// What both say about a move.
fn same_move<E: Engine>(
    reference: &RulesGame,
    other: &E,
    pair: &Pair<E::State>,
    mv: PackedMove,
) -> Result<(), String> {
    let taken = reference.capture(&pair.position.state, mv);
    let theirs = other.capture(&pair.other.state, mv);
    let name = || reference.name(&pair.position.state, mv);
    // Of a program in another form more or less may be seen.
    if [taken, theirs].contains(&Capture::Unknown) {
        return Ok(());
    }
    if taken != theirs {
        // What is decided early in one form may be open in the other, which then says what could
        // be taken; where one says that nothing is, nothing must be.
        let says_nothing = [taken, theirs].contains(&Capture::Nothing);
        return if says_nothing && takes_nothing(reference, pair, mv) {
            Ok(())
        } else {
            Err(format!("{} takes {taken:?}, the other says {theirs:?}", name()))
        };
    }
    let (moved, theirs) =
        (reference.mover_kind(&pair.position.state, mv), other.mover_kind(&pair.other.state, mv));
    if moved != theirs {
        return Err(format!("{} moves {moved:?}, the other says {theirs:?}", name()));
    }
    if reference.move_code(&pair.position.state, mv) != other.move_code(&pair.other.state, mv) {
        return Err(format!("{} has two codes", name()));
    }
    Ok(())
}

/// That a move said to take nothing leaves the men of the others alone. (Where the file promises
/// it and lies, that is not so.)
pub(crate) fn quiet_is_quiet<E: Engine>(
    reference: &RulesGame,
    before: &Pair<E::State>,
    after: &Pair<E::State>,
    mv: PackedMove,
) -> Result<(), String> {
    if reference.capture(&before.position.state, mv) != Capture::Nothing {
        return Ok(());
    }
    match lost(reference, &before.position.state, &after.position.state) {
        Some(man) => Err(format!("a move that takes nothing takes {man:?}")),
        None => Ok(()),
    }
}

/// Whether a move, played by the reference, leaves the men of the others alone.
fn takes_nothing<S>(reference: &RulesGame, before: &Pair<S>, mv: PackedMove) -> bool {
    let mut after = before.position.clone();
    let played = reference.apply(&mut after, &[mv]);
    played.is_err() || lost(reference, &before.position.state, &after.state).is_none()
}

/// A man of another player than the mover, and its square, that is gone after a move.
fn lost(reference: &RulesGame, before: &State, after: &State) -> Option<(u16, u8)> {
    let mover = reference.mover(before);
    let codes = &reference.board().men;
    let (mut was, mut is) = (Vec::new(), Vec::new());
    reference.men(before, &mut was);
    reference.men(after, &mut is);
    let theirs = |code: u8| codes[usize::from(code)].0 != Some(Player(mover.0));
    was.into_iter().find(|man| theirs(man.1) && !is.contains(man))
}
