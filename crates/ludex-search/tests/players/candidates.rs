//! What the author of the rules advises is tried first, and no more than it deserves.

use std::sync::{Arc, LazyLock};

use ludex_core::{
    Candidates, Fault, Game, GameInfo, Heuristics, Limits, Payoff, Player, Position, PositionOf,
    Roles, RolesOf, TextError, Turn,
};
use ludex_search::evaluation::{Evaluate, EvaluationFamily, Standpoint};
use ludex_search::montecarlo::{EvaluationSource, McConfig, Mcts};
use ludex_search::{GamePlayer, PlayerOptions, Registry, SearchResult, SearchRoot, player};

/// One move out of forty, after which the game is over; the author likes some of them.
struct Advised {
    /// The only move that wins.
    good: u8,
    /// The moves that the author advises, with their weights.
    liked: Vec<(u8, f64)>,
    /// Whether nothing else is to be looked at.
    only: bool,
}

static INFO: LazyLock<GameInfo> = LazyLock::new(|| GameInfo::two_players("0", "1"));

impl Game for Advised {
    type State = Option<u8>;
    type Trail = ();
    type Move = u8;

    fn info(&self) -> &GameInfo {
        &INFO
    }

    fn start(&self) -> Position<Option<u8>, ()> {
        Position::of(None)
    }

    fn position(&self, state: Option<u8>) -> Position<Option<u8>, ()> {
        Position::of(state)
    }

    fn turn(&self, Position { state, .. }: &Position<Option<u8>, ()>) -> Result<Turn, Fault> {
        Ok(if state.is_none() { Turn::Of(Player(0)) } else { Turn::Over })
    }

    fn moves(
        &self,
        Position { state, .. }: &Position<Option<u8>, ()>,
        player: Player,
        moves: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        moves.clear();
        if state.is_none() && player == Player(0) {
            moves.extend(0..40);
        }
        Ok(())
    }

    fn apply(
        &self,
        Position { state, .. }: &mut Position<Option<u8>, ()>,
        moves: &[u8],
    ) -> Result<(), Fault> {
        *state = moves.first().copied();
        Ok(())
    }

    fn payoff(
        &self,
        Position { state, .. }: &Position<Option<u8>, ()>,
        player: Player,
    ) -> Result<Payoff, Fault> {
        let won = (*state == Some(self.good)) == (player == Player(0));
        Ok(if won { Payoff::WIN } else { Payoff::LOSS })
    }

    fn name(&self, _state: &Option<u8>, mv: u8) -> String {
        mv.to_string()
    }

    fn write(&self, state: &Option<u8>) -> String {
        format!("{state:?}")
    }

    fn read(&self, _text: &str) -> Result<Option<u8>, TextError> {
        Err(TextError::new("positions of this game are never read"))
    }

    fn roles(&self) -> RolesOf<'_, Self> {
        Roles { heuristics: Some(self), ..Roles::default() }
    }
}

impl Heuristics<Option<u8>, (), u8> for Advised {
    fn candidates(
        &self,
        _position: &Position<Option<u8>, ()>,
        _side: Player,
        _depth: u32,
    ) -> Result<Option<Candidates<u8>>, Fault> {
        Ok(Some(Candidates { moves: self.liked.clone(), only: self.only }))
    }
}

/// How often each move was tried within a number of playouts, and the best.
fn visits(game: &Advised, advice: f64, playouts: u64) -> (Vec<u64>, u8) {
    let config = McConfig {
        candidate_weight: advice,
        solver: false,
        ..McConfig::preset("ppa").expect("it is a player")
    };
    let config = McConfig { policy: McConfig::default().policy, first_play: Some(0.6), ..config };
    let mut player = Mcts::new("mcts", config, PlayerOptions::default(), Box::new(|_| Ok(None)));
    let limits = Limits::of_nodes(playouts);
    let root = SearchRoot { game, position: &Position::of(None) };
    let result = player.search(root, limits, &mut |_| ()).unwrap();
    let mut visits = vec![0; 40];
    result.lines.iter().for_each(|line| visits[usize::from(line.mv)] = line.visits);
    (visits, result.best().unwrap())
}

#[test]
fn advised_moves_are_tried_first() {
    let game = Advised { good: 17, liked: vec![(17, 1.0), (3, 0.5)], only: false };
    let (with, best) = visits(&game, 0.5, 5);
    assert!(with[17] >= 4 && best == 17, "{with:?}");
    let (without, _) = visits(&game, 0.0, 5);
    assert!(without[17] <= 2, "{without:?}");
}

#[test]
fn bad_advice_wears_off() {
    let game = Advised { good: 5, liked: vec![(17, 1.0), (3, 1.0)], only: false };
    let (visits, best) = visits(&game, 0.5, 400);
    assert_eq!(best, 5, "{visits:?}");
}

/// An evaluation that prefers one move.
struct Prefers(u8);

impl Evaluate<Advised> for Prefers {
    fn evaluate(
        &self,
        _game: &Advised,
        _position: &PositionOf<Advised>,
        _from: Standpoint,
    ) -> Result<i32, Fault> {
        Ok(0)
    }

    fn policy(
        &self,
        _game: &Advised,
        _position: &PositionOf<Advised>,
        _from: Standpoint,
        moves: &[u8],
    ) -> Result<Option<Vec<f32>>, Fault> {
        Ok(Some(moves.iter().map(|&it| if it == self.0 { 0.9 } else { 0.01 }).collect()))
    }

    fn describe(&self) -> String {
        "a policy".to_owned()
    }
}

#[test]
fn alpha_beta_searches_what_a_policy_prefers_first() {
    let game = Advised { good: 39, liked: Vec::new(), only: false };
    let search = |spec: &str| {
        let mut registry = Registry::standard();
        let policy = EvaluationFamily::ready("policy", "a policy", Arc::new(Prefers(39)));
        registry.add_evaluation(policy);
        let mut player = registry.player(spec, PlayerOptions::default()).unwrap();
        let root = SearchRoot { game: &game, position: &Position::of(None) };
        player.search(root, Limits::of_nodes(1000), &mut |_| ()).unwrap()
    };
    let with = search("alphabeta:eval=policy,candidates=no");
    let without = search("alphabeta:eval=none,candidates=no");
    assert_eq!((with.best(), without.best()), (Some(39), Some(39)));
    assert!(with.nodes < without.nodes, "{} {}", with.nodes, without.nodes);
    assert_eq!(with.lines.len(), 40, "no move is left out");
}

#[test]
fn monte_carlo_takes_its_priors_from_a_policy() {
    let game = Advised { good: 5, liked: Vec::new(), only: false };
    let visits = |candidate_weight: f64| {
        let config = McConfig { candidate_weight, cut: Some(9), ..McConfig::default() };
        let source: EvaluationSource<Advised> = Box::new(|_| Ok(Some(Arc::new(Prefers(17)))));
        let config = McConfig { solver: false, first_play: Some(0.6), ..config };
        let mut player = Mcts::new("mcts", config, PlayerOptions::default(), source);
        let root = SearchRoot { game: &game, position: &Position::of(None) };
        let result = player.search(root, Limits::of_nodes(30), &mut |_| ()).unwrap();
        result.lines.iter().find(|it| it.mv == 17).unwrap().visits
    };
    assert!(visits(2.0) > visits(0.0), "{} {}", visits(2.0), visits(0.0));
}

fn alphabeta(game: &Advised, options: &str) -> SearchResult<u8> {
    let text = format!("alphabeta:eval=none,{options}");
    let mut player = player(&text, PlayerOptions::default()).unwrap();
    let limits = Limits::of_nodes(1000);
    player.search(SearchRoot { game, position: &Position::of(None) }, limits, &mut |_| ()).unwrap()
}

#[test]
fn alpha_beta_looks_at_advised_moves_first_and_at_the_others_too() {
    let game = Advised { good: 5, liked: vec![(17, 1.0), (3, 1.0)], only: false };
    let result = alphabeta(&game, "");
    assert_eq!(result.best(), Some(5));
    assert!(result.lines[0].proved.is_some());
    // The only winning move ends the search at once where it comes first.
    let lucky = Advised { good: 39, liked: vec![(39, 1.0)], only: false };
    let (first, last) = (alphabeta(&lucky, ""), alphabeta(&lucky, "candidates=no"));
    assert_eq!((first.best(), last.best()), (Some(39), Some(39)));
    assert!(first.nodes < last.nodes, "{} {}", first.nodes, last.nodes);
}

#[test]
fn who_looks_at_candidates_alone_proves_nothing() {
    let game = Advised { good: 5, liked: vec![(17, 1.0), (3, 1.0)], only: true };
    let result = alphabeta(&game, "");
    assert!([Some(17), Some(3)].contains(&result.best()));
    assert_eq!(result.lines.len(), 2);
    assert!(result.lines.iter().all(|it| it.proved.is_none()));
    let result = alphabeta(&game, "candidates=no");
    assert_eq!(result.best(), Some(5));
    assert!(result.lines[0].proved.is_some());
}
