//! `ludex bench --signature`: one number for what the searches do.
//!
//! Fixed searches run over all bundled games, with one thread and a node budget each. Their node
//! counts and best moves are folded into one number, the *signature*: a change that is meant to
//! keep the searches as they are keeps the signature, and a change that is not says the new one in
//! its commit message.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use ludex::clock::{RealClock, per_second};
use ludex::game::LoadedGame;
use ludex::players::PlayerSpec;
use ludex::ponder::processors;
use ludex::source::fnv1a;
use ludex::{EngineKind, Result, bundled};
use ludex_core::{Game, Limits, Position, Random, Turn};
use ludex_search::{PlayerOptions, SearchRoot};
use serde_json::json;

use crate::failure::{Answer, Done};
use crate::interrupt;
use crate::open::load;
use crate::output::Out;

/// The searches and their node budgets. A search that does not play a game is left out there.
const SEARCHES: [(&str, u64); 12] = [
    ("alphabeta:work=10000", 60),
    ("bing:work=10000", 60),
    ("alphabeta:work=10000,threats=50", 30),
    ("auto:games=4,work=10000,trials=2,trial=1000", 60),
    ("mcts", 100),
    ("grave", 60),
    ("ppafm", 40),
    ("uct", 60),
    ("dfpn", 200),
    ("pns", 100),
    ("nmcs:level=1", 40),
    ("nrpa:level=1,n=10", 40),
];

/// After how many random moves the searched positions arise.
const PLIES: [u32; 2] = [0, 9];

/// Memory of a search. Tables that fill up would make its nodes depend on it.
const MEMORY: usize = 16 << 20;

/// One search of one position.
struct Searched {
    ply: u32,
    player: &'static str,
    nodes: u64,
    best: Option<String>,
    seconds: f64,
}

/// All searches of one game.
type Row = (usize, Result<Vec<Searched>>);

/// Runs the searches and prints the signature.
pub(super) fn run(engine: EngineKind, out: &mut Out) -> Done {
    let clock = RealClock::start();
    let rows = search_all(engine, interrupt::listen())?;
    if interrupt::happened() {
        return Ok(Answer::Interrupted);
    }
    let text: String =
        rows.iter().flat_map(|(game, row)| row.iter().map(|it| line(game, it))).collect();
    let signature = format!("{:016x}", fnv1a(text.as_bytes()));
    let nodes: u64 = rows.values().flatten().map(|it| it.nodes).sum();
    let (searches, seconds) = (rows.values().flatten().count(), clock.seconds());
    if out.is_json() {
        let games: BTreeMap<_, _> = rows.iter().map(|(game, row)| (game, row_json(row))).collect();
        out.json(&json!({
            "signature": signature, "searches": searches, "nodes": nodes, "seconds": seconds,
            "engine": engine.name(), "games": games,
        }))?;
    } else {
        out.line(format_args!("{searches:>14} searches of {} games", rows.len()))?;
        out.line(format_args!("{nodes:>14} nodes, {:.0} a second", per_second(nodes, seconds)))?;
        out.line(format_args!("signature {signature}"))?;
    }
    Ok(Answer::Yes)
}

fn line(game: &str, searched: &Searched) -> String {
    let Searched { ply, player, nodes, best, seconds: _ } = searched;
    format!("{game} {ply} {player} {nodes} {}\n", best.as_deref().unwrap_or("-"))
}

fn row_json(row: &[Searched]) -> Vec<serde_json::Value> {
    let one = |it: &Searched| json!({ "ply": it.ply, "player": it.player, "nodes": it.nodes, "best": it.best, "seconds": it.seconds });
    row.iter().map(one).collect()
}

/// Searches all games, a game at a time on each processor.
fn search_all(
    engine: EngineKind,
    stop: &AtomicBool,
) -> Result<BTreeMap<&'static str, Vec<Searched>>> {
    let names: Vec<&str> = bundled::names().collect();
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(Vec::<Row>::new()));
    thread::scope(|scope| {
        for _ in 0..processors().min(names.len()) {
            scope.spawn(|| {
                while let Some(&name) = names.get(next.fetch_add(1, Ordering::Relaxed))
                    && !stop.load(Ordering::Relaxed)
                {
                    let row = search_game(name, engine, stop);
                    let number = names.iter().position(|it| *it == name).unwrap_or_default();
                    rows.lock().unwrap_or_else(PoisonError::into_inner).push((number, row));
                }
            });
        }
    });
    let rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
    rows.into_iter().map(|(number, row)| Ok((names[number], row?))).collect()
}

fn search_game(name: &str, engine: EngineKind, stop: &AtomicBool) -> Result<Vec<Searched>> {
    let loaded = load(name, engine)?;
    let mut row = Vec::new();
    for ply in PLIES {
        let position = played_on(&loaded, ply)?;
        if loaded.ending(&position)?.is_some() {
            continue;
        }
        for (player, nodes) in SEARCHES {
            row.extend(search(&loaded, &position, ply, (player, nodes), stop)?);
        }
    }
    Ok(row)
}

/// The position after some random moves, which do not depend on the order of an engine's list.
fn played_on(loaded: &LoadedGame, plies: u32) -> Result<Position> {
    let game = &loaded.game;
    let (mut position, mut random) = (game.start(), Random::stream(1, u64::from(plies), 0));
    let mut moves = Vec::new();
    for _ in 0..plies {
        let position = &mut position;
        let turn = game.turn(position).map_err(|it| loaded.blame(it))?;
        let Turn::Of(player) = turn else { break };
        game.moves(position, player, &mut moves).map_err(|it| loaded.blame(it))?;
        moves.sort_by_cached_key(|&mv| game.name(&position.state, mv));
        let Some(&mv) = random.pick(&moves) else { break };
        game.apply(position, &[mv]).map_err(|it| loaded.blame(it))?;
    }
    Ok(position)
}

fn search(
    loaded: &LoadedGame,
    position: &Position,
    ply: u32,
    (spec, nodes): (&'static str, u64),
    stop: &AtomicBool,
) -> Result<Option<Searched>> {
    let clock = RealClock::start();
    let recipe = PlayerSpec::read(spec, loaded)?;
    if recipe.supports(loaded).is_err() {
        return Ok(None);
    }
    let mut player = recipe.player(PlayerOptions { memory: MEMORY, ..PlayerOptions::default() })?;
    let limits = Limits { stop: Some(stop), ..Limits::of_nodes(nodes) };
    let root = SearchRoot { game: &loaded.game, position };
    match player.search(root, limits, &mut |_| {}) {
        Ok(result) => {
            let best = result.best().map(|it| loaded.game.name(&position.state, it));
            Ok(Some(Searched {
                ply,
                player: spec,
                nodes: result.nodes,
                best,
                seconds: clock.seconds(),
            }))
        }
        Err(error) => Err(player.blame(loaded, error)),
    }
}
