//! The law checker is not vacuous: each of these games breaks one law in one way,
//! and is caught at it.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

use ludex_core::laws::{Law, LawsConfig, Violation, check};
use ludex_core::playout::{Playout, Playouts};
use ludex_core::turns::Choices;
use ludex_core::{
    Fault, Game, GameExt, GameInfo, Payoff, Player, PlayerSet, Position, Random, Roles, RolesOf,
    Shortcuts, TextError, Turn,
};
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
    AsksNoPlayer,
    PaysTooMuch,
    ListsTwins,
    HasNamesakes,
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

static INFO: LazyLock<GameInfo> = LazyLock::new(|| GameInfo::two_players("P0", "P1"));

/// The board of a position, as the game without a flaw has it.
fn plain(position: &Position<Cells, ()>) -> Position<Board, ()> {
    Position::of(position.state.board())
}

impl Game for Flawed {
    type State = Cells;
    type Trail = ();
    type Move = Square;

    fn info(&self) -> &GameInfo {
        &INFO
    }

    fn start(&self) -> Position<Cells, ()> {
        Position::of(self.cells(TicTacToe.start().state))
    }

    fn position(&self, state: Cells) -> Position<Cells, ()> {
        Position::of(state)
    }

    fn turn(&self, position: &Position<Cells, ()>) -> Result<Turn, Fault> {
        let plain = plain(position);
        match (self.flaw, TicTacToe.turn(&plain)?) {
            (Flaw::NeverEnds, Turn::Over) => Ok(Turn::Of(plain.state.mover)),
            (Flaw::UnknownPlayer, Turn::Of(_)) if position.state.plies == 3 => {
                Ok(Turn::Of(Player(2)))
            }
            (Flaw::AsksNoPlayer, Turn::Of(_)) => Ok(Turn::Joint(PlayerSet::default())),
            (_, turn) => Ok(turn),
        }
    }

    fn moves(
        &self,
        position: &Position<Cells, ()>,
        player: Player,
        moves: &mut Vec<Square>,
    ) -> Result<(), Fault> {
        let mut plain = plain(position);
        let before = moves.clone();
        if self.flaw == Flaw::MovesOutOfTurn {
            plain.state.mover = player;
        }
        TicTacToe.moves(&plain, player, moves)?;
        let Board { mover, .. } = plain.state;
        match self.flaw {
            Flaw::MovesAfterTheEnd if plain.state.winner().is_some() && player == mover => {
                moves.push(Square(0));
            }
            Flaw::UnknownPlayer if player == Player(2) => moves.push(Square(0)),
            Flaw::ListsTwins => moves.extend(moves.first().copied()),
            Flaw::Shuffles if self.is_odd_question() => moves.reverse(),
            Flaw::Appends => moves.extend(before),
            Flaw::HidesCells if position.state.plies == 3 => moves.truncate(1),
            _ => {}
        }
        Ok(())
    }

    fn apply(&self, position: &mut Position<Cells, ()>, moves: &[Square]) -> Result<(), Fault> {
        let state = &mut position.state;
        if self.flaw == Flaw::Faults && state.plies == 4 {
            return Err(Fault { code: "test", message: "a loop without end".into(), place: None });
        }
        let mut moves = moves.to_vec();
        if self.flaw == Flaw::Dithers && self.is_odd_question() {
            moves[0].0 = (moves[0].0 + 1) % 9;
        }
        state.plies += 1;
        let mut board = state.board.lock().unwrap();
        let mut plain = Position::of(*board);
        let applied = TicTacToe.apply(&mut plain, &moves);
        *board = plain.state;
        applied
    }

    fn payoff(&self, position: &Position<Cells, ()>, player: Player) -> Result<Payoff, Fault> {
        let mut payoff = TicTacToe.payoff(&plain(position), player)?;
        if self.flaw == Flaw::PaysTooMuch {
            payoff.utility *= 2.0;
        }
        Ok(payoff)
    }

    fn name(&self, state: &Cells, mv: Square) -> String {
        match self.flaw {
            Flaw::HasNamesakes => format!("{}", mv.0 % 3),
            _ => TicTacToe.name(&state.board(), mv),
        }
    }

    fn named(
        &self,
        position: &Position<Cells, ()>,
        player: Player,
        name: &str,
    ) -> Result<Option<Square>, Fault> {
        match self.flaw {
            Flaw::ReadsNoNames => Ok(None),
            _ => TicTacToe.named(&plain(position), player, name),
        }
    }

    fn write(&self, state: &Cells) -> String {
        match self.flaw {
            Flaw::WritesNonsense => "?".to_owned(),
            _ => TicTacToe.write(&state.board()),
        }
    }

    fn read(&self, text: &str) -> Result<Cells, TextError> {
        let mut board = TicTacToe.read(text)?;
        if self.flaw == Flaw::ForgetsMover {
            board.mover = Player(0);
        }
        Ok(self.cells(board))
    }

    fn roles(&self) -> RolesOf<'_, Self> {
        Roles { shortcuts: Some(self), ..Roles::default() }
    }
}

impl Shortcuts<Cells, (), Square> for Flawed {
    fn count_moves(&self, position: &Position<Cells, ()>) -> Option<Result<u64, Fault>> {
        let mut choices = Choices::default();
        let more = u64::from(self.flaw == Flaw::Miscounts && position.state.plies == 4);
        Some(choices.fill(self, position).map(|_| choices.count() + more))
    }

    fn playout(
        &self,
        position: &mut Position<Cells, ()>,
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
        let mut played = playouts.listed(self, position, random, limit);
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
        position: &mut Position<Cells, ()>,
        random: &mut Random,
        limit: u32,
        moves: &mut Vec<Square>,
    ) -> Option<Result<Playout, Fault>> {
        moves.clear();
        if self.flaw == Flaw::TellsAnotherGame {
            random.below(2);
        }
        let (mut at, mut drawn) = (position.clone(), random.clone());
        let (mut choices, mut turn) = (Choices::default(), Vec::new());
        while moves.len() < limit as usize
            && choices.fill(self, &at).is_ok_and(|it| it != Turn::Over)
        {
            choices.draw(&mut drawn, &mut turn);
            self.apply(&mut at, &turn).ok()?;
            moves.extend(&turn);
        }
        match self.flaw {
            Flaw::TellsUnplayed => moves.reverse(),
            Flaw::TellsTooLittle => moves.truncate(2),
            _ => {}
        }
        Shortcuts::playout(self, position, random, limit)
    }

    fn hash(&self, state: &Cells) -> Option<u64> {
        Some(match self.flaw {
            Flaw::HashesToOne => 1,
            Flaw::HashesTheWay => TicTacToe.hash(&state.board()) ^ u64::from(state.plies),
            _ => TicTacToe.hash(&state.board()),
        })
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
    caught(Flaw::AsksNoPlayer, Law::Progress);
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
    let mut position = game.start();
    let own = playouts.run(&game, &mut position, &mut random, 9).unwrap();
    assert_eq!((own.plies, own.payoffs), (2, None));
    let mut position = game.start();
    let listed = playouts.listed(&game, &mut position, &mut random, 9).unwrap();
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
    let mut position = TicTacToe.start();
    for name in &violation.turns {
        let mover = position.state.mover;
        let mv = TicTacToe.named(&position, mover, name).unwrap().unwrap();
        TicTacToe.apply(&mut position, &[mv]).unwrap();
    }
    assert_eq!(TicTacToe.write(&position.state), violation.position);
}

#[test]
#[should_panic(expected = "the law of Text is broken")]
fn assert_holds_panics() {
    let game = Flawed::new(Flaw::WritesNonsense);
    ludex_core::laws::assert_holds(&game, &LawsConfig::default());
}
