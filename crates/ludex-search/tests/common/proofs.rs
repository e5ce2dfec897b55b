//! How proofs are asked for, and how certificates are written and checked.

use ludex_core::{Game, Limits};
use ludex_search::proof::{Certificate, GameValue, Method, ProofRun, SolveConfig, Solved, solve};

pub(crate) const METHODS: [Method; 3] = [Method::Pns, Method::Dfpn, Method::Retrograde];

/// The bounds of a search of at most `nodes` nodes.
pub(crate) fn within<T>(nodes: u64, job: impl FnOnce(&mut ProofRun<'_>) -> T) -> T {
    let mut silent = |_: &_| {};
    job(&mut ProofRun::new(Limits::of_nodes(nodes), &mut silent))
}

/// The value of a position within `nodes` nodes.
pub(crate) fn solved_from<G: Game>(
    game: &G,
    state: &G::State,
    config: &SolveConfig,
    nodes: u64,
) -> Solved<G> {
    let position = game.position(state.clone());
    within(nodes, |bounds| solve(game, &position, config, bounds)).expect("the rules are right")
}

/// The same for the start.
pub(crate) fn solved<G: Game>(game: &G, config: &SolveConfig, nodes: u64) -> Solved<G> {
    solved_from(game, &game.start().state, config, nodes)
}

/// What the start is worth by a method; it must be found.
pub(crate) fn value<G: Game>(game: &G, method: Method) -> GameValue {
    let config = SolveConfig { method, memory: 512 << 20, ..SolveConfig::default() };
    let solved = solved(game, &config, 20_000_000);
    solved.value.unwrap_or_else(|| panic!("{} does not get there", method.name()))
}

/// The value by each method, which must be the same.
pub(crate) fn agreed<G: Game>(name: &str, game: &G, methods: &[Method]) -> GameValue {
    let first = value(game, methods[0]);
    for &method in &methods[1..] {
        assert_eq!(value(game, method), first, "{name} by {}", method.name());
    }
    first
}

/// Writes the certificate of what was solved and checks it; gives it as text.
pub(crate) fn certified<G: Game>(game: &G, solved: &mut Solved<G>) -> Option<String> {
    let plans = within(u64::MAX, |bounds| solved.strategies(game, bounds, 1_000_000));
    let plans = plans.expect("the rules are right")?;
    let value = solved.value.expect("there are plans only for values");
    let certificate = Certificate::new(game, "test", 7, solved.root(), solved.past, value, &plans);
    let text = certificate.to_string();
    let read = Certificate::read(&text).expect("what we write, we read");
    assert_eq!(read, certificate);
    let verified = within(u64::MAX, |bounds| read.verify(game, bounds, 10_000_000));
    verified.expect("the rules are right").unwrap_or_else(|it| panic!("{it}\n{text}"));
    Some(text)
}
