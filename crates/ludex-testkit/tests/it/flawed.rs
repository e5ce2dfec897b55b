//! The law checker is not vacuous: each of these games breaks one law in one way,
//! and is caught at it.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use ludex_core::laws::{Law, LawsConfig, Violation, check};
use ludex_core::playout::{Playout, Playouts};
use ludex_core::turns::Choices;
use ludex_core::{Fault, Game, IllegalMove, Payoff, Player, PlayerSet, Random, TextError, Turn};
use ludex_testkit::tictactoe::{Board, Square};
use ludex_testkit::{Explicit, Node, TicTacToe};

/// What is wrong with a game of tic-tac-toe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flaw {
    None,
    MovesAfterTheEnd,
    MovesOutOfTurn,
    NeverEnds,
    UnknownPlayer,
    AsksNobody,
    PaysTooMuch,
    ListsTwins,
    HasNamesakes,
    AcceptsAnything,
    RefusesListed,
    ChangesOnRefusal,
    MisnamesRefused,
    PlaysOtherwise,
    Shuffles,
    Appends,
    Dithers,
    HidesCells,
    SharesCells,
    ForgetsMover,
    WritesNonsense,
    ReadsNoNames,
    HashesToOne,
    HashesTheWay,
    LeaksIntoHash,
    Miscounts,
    DrawsUnlisted,
    DrawsNothing,
    StopsEarly,
    OverrunsLimits,
    PaysLosers,
    PlaysOutAfterTheEnd,
    TellsUnplayed,
    TellsTooLittle,
    TellsAnotherGame,
    Faults,
}

/// Tic-tac-toe with a flaw.
struct Flawed {
    flaw: Flaw,
    /// How often something was asked: what a pure game does not know.
    asked: AtomicU64,
}

/// A board that can be shared by mistake, and a count of plies that is no cell.
#[derive(Debug)]
struct Cells {
    board: Arc<Mutex<Board>>,
    plies: u8,
    flaw: Flaw,
}

impl Cells {
    fn board(&self) -> Board {
        *self.board.lock().unwrap()
    }
}

impl Clone for Cells {
    fn clone(&self) -> Self {
        let board = match self.flaw {
            Flaw::SharesCells => Arc::clone(&self.board),
            _ => Arc::new(Mutex::new(self.board())),
        };
        Self { board, plies: self.plies, flaw: self.flaw }
    }
}

impl PartialEq for Cells {
    fn eq(&self, other: &Self) -> bool {
        self.board() == other.board()
    }
}

impl Eq for Cells {}

impl Hash for Cells {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.board().hash(hasher);
        if self.flaw == Flaw::LeaksIntoHash {
            self.plies.hash(hasher);
        }
    }
}

impl Flawed {
    fn new(flaw: Flaw) -> Self {
        Self { flaw, asked: AtomicU64::new(0) }
    }

    fn cells(&self, board: Board) -> Cells {
        Cells { board: Arc::new(Mutex::new(board)), plies: 0, flaw: self.flaw }
    }

    fn is_odd_question(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) % 2 == 1
    }
}

impl Game for Flawed {
    type State = Cells;
    type Trail = ();
    type Move = Square;

    fn players(&self) -> usize {
        2
    }

    fn player_name(&self, player: Player) -> String {
        format!("P{}", player.0)
    }

    fn start(&self) -> (Cells, ()) {
        (self.cells(TicTacToe.start().0), ())
    }

    fn trail_from(&self, _state: &Cells) {}

    fn turn(&self, state: &Cells, trail: &()) -> Result<Turn, Fault> {
        let board = state.board();
        match (self.flaw, TicTacToe.turn(&board, trail)?) {
            (Flaw::NeverEnds, Turn::Over) => Ok(Turn::Of(board.mover)),
            (Flaw::UnknownPlayer, Turn::Of(_)) if state.plies == 3 => Ok(Turn::Of(Player(2))),
            (Flaw::AsksNobody, Turn::Of(_)) => Ok(Turn::Joint(PlayerSet::default())),
            (_, turn) => Ok(turn),
        }
    }

    fn moves(
        &self,
        state: &Cells,
        trail: &(),
        player: Player,
        moves: &mut Vec<Square>,
    ) -> Result<(), Fault> {
        let mut board = state.board();
        let before = moves.clone();
        if self.flaw == Flaw::MovesOutOfTurn {
            board.mover = player;
        }
        TicTacToe.moves(&board, trail, player, moves)?;
        match self.flaw {
            Flaw::MovesAfterTheEnd if board.winner().is_some() && player == board.mover => {
                moves.push(Square(0));
            }
            Flaw::UnknownPlayer if player == Player(2) => moves.push(Square(0)),
            Flaw::ListsTwins => moves.extend(moves.first().copied()),
            Flaw::Shuffles if self.is_odd_question() => moves.reverse(),
            Flaw::Appends => moves.extend(before),
            Flaw::HidesCells if state.plies == 3 => moves.truncate(1),
            _ => {}
        }
        Ok(())
    }

    fn apply(&self, state: &mut Cells, trail: &mut (), moves: &[Square]) -> Result<(), Fault> {
        if self.flaw == Flaw::Faults && state.plies == 4 {
            return Err(Fault { code: "test", message: "a loop without end".into(), place: None });
        }
        let mut moves = moves.to_vec();
        if self.flaw == Flaw::Dithers && self.is_odd_question() {
            moves[0].0 = (moves[0].0 + 1) % 9;
        }
        state.plies += 1;
        TicTacToe.apply(&mut state.board.lock().unwrap(), trail, &moves)
    }

    fn payoff(&self, state: &Cells, trail: &(), player: Player) -> Result<Payoff, Fault> {
        let mut payoff = TicTacToe.payoff(&state.board(), trail, player)?;
        if self.flaw == Flaw::PaysTooMuch {
            payoff.utility *= 2.0;
        }
        Ok(payoff)
    }

    fn hash(&self, state: &Cells) -> u64 {
        match self.flaw {
            Flaw::HashesToOne => 1,
            Flaw::HashesTheWay => TicTacToe.hash(&state.board()) ^ u64::from(state.plies),
            _ => TicTacToe.hash(&state.board()),
        }
    }

    fn name(&self, state: &Cells, mv: Square) -> String {
        match self.flaw {
            Flaw::HasNamesakes => format!("{}", mv.0 % 3),
            _ => TicTacToe.name(&state.board(), mv),
        }
    }

    fn position(&self, state: &Cells) -> String {
        match self.flaw {
            Flaw::WritesNonsense => "?".to_owned(),
            _ => TicTacToe.position(&state.board()),
        }
    }

    fn read_position(&self, text: &str) -> Result<Cells, TextError> {
        let mut board = TicTacToe.read_position(text)?;
        if self.flaw == Flaw::ForgetsMover {
            board.mover = Player(0);
        }
        Ok(self.cells(board))
    }

    fn named(
        &self,
        state: &Cells,
        trail: &(),
        player: Player,
        name: &str,
    ) -> Result<Option<Square>, Fault> {
        match self.flaw {
            Flaw::ReadsNoNames => Ok(None),
            _ => TicTacToe.named(&state.board(), trail, player, name),
        }
    }

    fn play(
        &self,
        state: &mut Cells,
        trail: &mut (),
        player: Player,
        mv: Square,
    ) -> Result<Result<(), IllegalMove<Square>>, Fault> {
        let mut legal = Vec::new();
        self.moves(state, trail, player, &mut legal)?;
        let mut listed = legal.contains(&mv);
        match self.flaw {
            Flaw::AcceptsAnything => listed = true,
            Flaw::RefusesListed => listed &= mv != Square(8),
            _ => {}
        }
        if listed {
            let other = self.flaw == Flaw::PlaysOtherwise && mv == Square(8);
            let mv = if other { Square(0) } else { mv };
            return Ok(Ok(self.apply(state, trail, &[mv])?));
        }
        match self.flaw {
            Flaw::ChangesOnRefusal => self.apply(state, trail, &[mv])?,
            Flaw::MisnamesRefused => legal.clear(),
            _ => {}
        }
        Ok(Err(IllegalMove { mv, legal }))
    }

    fn count_moves(&self, state: &Cells, trail: &()) -> Result<u64, Fault> {
        let mut choices = Choices::default();
        choices.fill(self, state, trail)?;
        let counted = choices.count();
        Ok(if self.flaw == Flaw::Miscounts && state.plies == 4 { counted + 1 } else { counted })
    }

    fn random_move(
        &self,
        state: &Cells,
        trail: &(),
        random: &mut Random,
    ) -> Result<Option<Square>, Fault> {
        let mut choices = Choices::default();
        choices.fill(self, state, trail)?;
        let drawn = choices.lists().first().and_then(|list| random.pick(list)).copied();
        Ok(match self.flaw {
            Flaw::DrawsUnlisted => drawn.map(|_| Square(8)),
            Flaw::DrawsNothing if state.plies == 3 => None,
            _ => drawn,
        })
    }

    fn playout(
        &self,
        state: &mut Cells,
        trail: &mut (),
        random: &mut Random,
        limit: u32,
    ) -> Option<Result<Playout, Fault>> {
        let mut playouts = Playouts::default();
        let limit = match self.flaw {
            Flaw::StopsEarly => limit.min(2),
            Flaw::OverrunsLimits => limit + 1,
            Flaw::None | Flaw::PaysLosers | Flaw::PlaysOutAfterTheEnd => limit,
            Flaw::TellsUnplayed | Flaw::TellsTooLittle | Flaw::TellsAnotherGame => limit,
            _ => return None,
        };
        let mut played = playouts.listed(self, state, trail, random, limit);
        if let (Flaw::PaysLosers, Ok(Playout { payoffs: Some(payoffs), .. })) =
            (self.flaw, &mut played)
        {
            payoffs.reverse();
        }
        if let (Flaw::PlaysOutAfterTheEnd, Ok(playout)) = (self.flaw, &mut played) {
            playout.plies += u32::from(playout.plies == 0);
        }
        Some(played)
    }

    fn traced_playout(
        &self,
        state: &mut Cells,
        trail: &mut (),
        random: &mut Random,
        limit: u32,
        moves: &mut Vec<Square>,
    ) -> Option<Result<Playout, Fault>> {
        moves.clear();
        if self.flaw == Flaw::TellsAnotherGame {
            random.below(2);
        }
        let (mut at, mut drawn, mut choices) = (state.clone(), random.clone(), Choices::default());
        let mut turn = Vec::new();
        while moves.len() < limit as usize
            && choices.fill(self, &at, trail).is_ok_and(|it| it != Turn::Over)
        {
            choices.draw(&mut drawn, &mut turn);
            self.apply(&mut at, trail, &turn).ok()?;
            moves.extend(&turn);
        }
        match self.flaw {
            Flaw::TellsUnplayed => moves.reverse(),
            Flaw::TellsTooLittle => moves.truncate(2),
            _ => {}
        }
        self.playout(state, trail, random, limit)
    }
}

#[track_caller]
fn caught(flaw: Flaw, law: Law) {
    let config = LawsConfig { positions: 500, ..LawsConfig::default() };
    let violation = check(&Flawed::new(flaw), &config).expect_err("the flaw should show");
    assert_eq!(violation.law, law, "{flaw:?}: {violation}");
}

/// Caught by the cheap laws alone.
#[track_caller]
fn caught_in_passing(flaw: Flaw, law: Law) {
    let config = LawsConfig { positions: 500, every: u64::MAX, ..LawsConfig::default() };
    let violation = check(&Flawed::new(flaw), &config).expect_err("the flaw should show");
    assert_eq!(violation.law, law, "{flaw:?}: {violation}");
}

#[test]
fn cheap_laws_catch_much() {
    caught_in_passing(Flaw::MovesAfterTheEnd, Law::Progress);
    caught_in_passing(Flaw::PaysTooMuch, Law::Progress);
    caught_in_passing(Flaw::ListsTwins, Law::Distinct);
    caught_in_passing(Flaw::Shuffles, Law::Purity);
    caught_in_passing(Flaw::Dithers, Law::Purity);
    caught_in_passing(Flaw::HashesToOne, Law::Hash);
    caught_in_passing(Flaw::Faults, Law::NoFault);
}

#[test]
fn without_a_flaw_nothing_is_found() {
    let config = LawsConfig { positions: 500, ..LawsConfig::default() };
    let report = check(&Flawed::new(Flaw::None), &config).unwrap();
    assert!(report.refused > 0 && report.met_again > 0, "{report:?}");
}

#[test]
fn progress() {
    caught(Flaw::MovesAfterTheEnd, Law::Progress);
    caught(Flaw::MovesOutOfTurn, Law::Progress);
    caught(Flaw::NeverEnds, Law::Progress);
    caught(Flaw::UnknownPlayer, Law::Progress);
    caught(Flaw::AsksNobody, Law::Progress);
    caught(Flaw::PaysTooMuch, Law::Progress);
}

#[test]
fn progress_of_chance() {
    for odds in [[0.5, 0.4], [1.5, -0.5], [f64::NAN, 0.5], [1.0, 0.0]] {
        let edges = [("head", odds[0], 1), ("tail", odds[1], 1)];
        let game = Explicit::new(1, vec![Node::chance(&edges), Node::end(&[0.0])]);
        let violation = check(&game, &LawsConfig::default()).unwrap_err();
        assert_eq!(violation.law, Law::Progress, "{odds:?}: {violation}");
    }
}

#[test]
fn distinct() {
    caught(Flaw::ListsTwins, Law::Distinct);
    caught(Flaw::HasNamesakes, Law::Distinct);
}

#[test]
fn membership() {
    caught(Flaw::AcceptsAnything, Law::Membership);
    caught(Flaw::RefusesListed, Law::Membership);
    caught(Flaw::ChangesOnRefusal, Law::Membership);
    caught(Flaw::MisnamesRefused, Law::Membership);
    caught(Flaw::PlaysOtherwise, Law::Membership);
}

#[test]
fn purity() {
    caught(Flaw::Shuffles, Law::Purity);
    caught(Flaw::Appends, Law::Purity);
    caught(Flaw::Dithers, Law::Purity);
    caught(Flaw::HidesCells, Law::Purity);
}

#[test]
fn independence() {
    caught(Flaw::SharesCells, Law::Independence);
}

#[test]
fn text() {
    caught(Flaw::ForgetsMover, Law::Text);
    caught(Flaw::WritesNonsense, Law::Text);
    caught(Flaw::ReadsNoNames, Law::Text);
}

#[test]
fn hash() {
    caught(Flaw::HashesToOne, Law::Hash);
    caught(Flaw::HashesTheWay, Law::Hash);
    caught(Flaw::LeaksIntoHash, Law::Hash);
}

#[test]
fn shortcuts() {
    caught(Flaw::Miscounts, Law::Shortcuts);
    caught(Flaw::DrawsUnlisted, Law::Shortcuts);
    caught(Flaw::DrawsNothing, Law::Shortcuts);
    caught(Flaw::StopsEarly, Law::Shortcuts);
    caught(Flaw::OverrunsLimits, Law::Shortcuts);
    caught(Flaw::PaysLosers, Law::Shortcuts);
    caught(Flaw::PlaysOutAfterTheEnd, Law::Shortcuts);
    caught(Flaw::TellsUnplayed, Law::Shortcuts);
    caught(Flaw::TellsTooLittle, Law::Shortcuts);
    caught(Flaw::TellsAnotherGame, Law::Shortcuts);
}

#[test]
fn playouts_are_the_games_own_unless_listed() {
    let game = Flawed::new(Flaw::StopsEarly);
    let mut playouts = Playouts::default();
    let mut random = Random::stream(1, 0, 0);
    let (mut state, ()) = game.start();
    let own = playouts.run(&game, &mut state, &mut (), &mut random, 9).unwrap();
    assert_eq!((own.plies, own.payoffs), (2, None));
    let (mut state, ()) = game.start();
    let listed = playouts.listed(&game, &mut state, &mut (), &mut random, 9).unwrap();
    assert!(listed.plies >= 5 && listed.payoffs.is_some() && listed.branching >= Some(35));
}

#[test]
fn faults() {
    caught(Flaw::Faults, Law::NoFault);
}

#[test]
fn a_violation_can_be_seen_again() {
    for every in [1, u64::MAX] {
        let config = LawsConfig { positions: 500, seed: 4, every, ..LawsConfig::default() };
        let violation = check(&Flawed::new(Flaw::Faults), &config).unwrap_err();
        assert_eq!(violation.fault.as_ref().unwrap().code, "test");
        assert!(violation.to_string().contains("seed 4, game 0"), "{violation}");
        leads_to_its_position(&violation);
    }
}

fn leads_to_its_position(violation: &Violation) {
    let (mut state, ()) = TicTacToe.start();
    for name in &violation.turns {
        let mover = state.mover;
        let mv = TicTacToe.named(&state, &(), mover, name).unwrap().unwrap();
        TicTacToe.apply(&mut state, &mut (), &[mv]).unwrap();
    }
    assert_eq!(TicTacToe.position(&state), violation.position);
}

#[test]
#[should_panic(expected = "the law of Text is broken")]
fn assert_holds_panics() {
    let game = Flawed::new(Flaw::WritesNonsense);
    ludex_core::laws::assert_holds(&game, &LawsConfig::default());
}
