//! Every game, to be replayed move by move.
//!
//! Boards are texts, and a move changes a line or two of them. Every distinct line is therefore stored
//! once, and a board is a list of line numbers.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::escape::{html, json};
use crate::points::Points;

/// A game to replay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replay {
    /// Its number, from 1.
    pub number: u64,
    /// The name of the game.
    pub game: String,
    /// Its round.
    pub round: u32,
    /// The players, first player first.
    pub players: Vec<String>,
    /// The points of the players.
    pub points: Points,
    /// Its result or termination, in words.
    pub how: String,
    /// The moves.
    pub moves: Vec<String>,
    /// A note on each move: score, depth, time.
    pub notes: Vec<String>,
    /// The boards, from the one before the first move; empty where they are not shown.
    pub boards: Vec<String>,
}

/// The part of the page with the games.
pub fn section(games: &[Replay]) -> String {
    let seats = games.iter().map(|it| it.players.len()).max().unwrap_or(2).max(2);
    let mut page = String::from(
        "<h2>Games</h2>\n<div class=\"scroll\">\n<table id=\"games\">\n<tr><th></th><th>round</th><th>game</th>",
    );
    for seat in 1..=seats {
        let _ = match (seats, seat) {
            (2, 1) => write!(page, "<th>first</th>"),
            (2, _) => write!(page, "<th>second</th>"),
            _ => write!(page, "<th>player {seat}</th>"),
        };
    }
    page.push_str("<th>result</th><th>moves</th><th>end</th></tr>\n");
    for (index, game) in games.iter().enumerate() {
        let _ = write!(
            page,
            "<tr><td><button data-game=\"{index}\">{}</button></td><td>{}</td><td>{}</td>",
            game.number,
            game.round,
            html(&game.game),
        );
        for seat in 0..seats {
            let name = game.players.get(seat).map_or("", String::as_str);
            let _ = write!(page, "<td>{}</td>", html(name));
        }
        let _ = writeln!(
            page,
            "<td>{}</td><td>{}</td><td>{}</td></tr>",
            result(&game.points),
            game.moves.len(),
            html(&game.how),
        );
    }
    page.push_str("</table>\n</div>\n");
    page.push_str(VIEWER);
    let _ =
        writeln!(page, "<script type=\"application/json\" id=\"data\">{}</script>", data(games));
    let _ = writeln!(page, "<script>{SCRIPT}</script>");
    page
}

/// `1 : 0`, `½ : ½`, `1 : 0.25 : 0.25`.
fn result(points: &Points) -> String {
    let hundredths = |it: &f64| (100.0 * it).round();
    let shown: Vec<String> =
        points.all().iter().map(|it| (hundredths(it) / 100.0).to_string()).collect();
    let shown = shown.join(" : ");
    if shown == "0.5 : 0.5" { "½ : ½".to_owned() } else { shown }
}

const VIEWER: &str = "\
<div id=\"viewer\" hidden>
<h3 id=\"title\" tabindex=\"-1\"></h3>
<p><button id=\"first\" aria-label=\"first position\">⏮</button>
<button id=\"back\" aria-label=\"one move back\">◀</button>
<button id=\"next\" aria-label=\"next move\">▶</button>
<button id=\"last\" aria-label=\"last position\">⏭</button> <button id=\"run\">play</button>
<span id=\"note\" aria-live=\"polite\"></span></p>
<pre id=\"board\" tabindex=\"0\" aria-label=\"board\"></pre>
<p id=\"moves\"></p>
<p class=\"hint\">Keys: ← → Home End</p>
</div>
";

/// The games as JSON: the distinct lines of boards, then the games.
fn data(games: &[Replay]) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let mut all = Vec::new();
    for game in games {
        let boards: Vec<String> = game
            .boards
            .iter()
            .map(|board| {
                let numbers = board.lines().map(|line| {
                    *known.entry(line).or_insert_with(|| {
                        lines.push(line);
                        lines.len() - 1
                    })
                });
                list(numbers.map(|it| it.to_string()))
            })
            .collect();
        let strings = |texts: &[String]| list(texts.iter().map(|it| json(it)));
        let title =
            format!("{}. {}: {} ({})", game.number, game.game, game.players.join(" – "), game.how);
        all.push(format!(
            "{{\"title\":{},\"moves\":{},\"notes\":{},\"boards\":{}}}",
            json(&title),
            strings(&game.moves),
            strings(&game.notes),
            list(boards.into_iter()),
        ));
    }
    let lines = list(lines.into_iter().map(json));
    format!("{{\"lines\":{lines},\"games\":{}}}", list(all.into_iter()))
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

/// The script of the viewer. It sets text of elements, never HTML.
const SCRIPT: &str = "
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const part = id => document.getElementById(id);
let game = null, ply = 0, timer = null;
function show(to) {
  const last = game.moves.length;
  ply = Math.max(0, Math.min(to, last));
  const board = game.boards[ply];
  part('board').textContent = board ? board.map(it => data.lines[it]).join('\\n') : '(no board)';
  part('note').textContent = ply ? ply + '. ' + game.moves[ply - 1] + '  ' + game.notes[ply - 1] : 'start';
  const spans = part('moves').children;
  for (let i = 0; i < spans.length; i++) spans[i].className = i === ply - 1 ? 'now' : '';
  if (ply === last) halt();
}
function halt() { clearInterval(timer); timer = null; part('run').textContent = 'play'; }
function open(number) {
  halt();
  game = data.games[number];
  part('viewer').hidden = false;
  part('title').textContent = game.title;
  const moves = part('moves');
  moves.replaceChildren();
  game.moves.forEach((name, i) => {
    const span = document.createElement('span');
    span.textContent = name;
    span.onclick = () => show(i + 1);
    moves.append(span, ' ');
  });
  show(0);
  part('viewer').scrollIntoView({ behavior: 'smooth' });
  part('title').focus({ preventScroll: true });
}
document.querySelectorAll('button[data-game]').forEach(it => {
  it.onclick = () => open(Number(it.dataset.game));
});
part('first').onclick = () => show(0);
part('back').onclick = () => show(ply - 1);
part('next').onclick = () => show(ply + 1);
part('last').onclick = () => show(game.moves.length);
part('run').onclick = () => {
  if (timer) { halt(); return; }
  if (ply === game.moves.length) show(0);
  part('run').textContent = 'pause';
  timer = setInterval(() => show(ply + 1), 700);
};
const keys = {
  ArrowRight: () => show(ply + 1),
  ArrowLeft: () => show(ply - 1),
  Home: () => show(0),
  End: () => show(game.moves.length),
};
document.addEventListener('keydown', event => {
  const act = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
  if (!game || !act || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  act();
});
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_of_a_game_has_a_column() {
        let names = ["Ann", "Bob", "<Eve>"].map(str::to_owned);
        let game = |seats: usize| Replay {
            players: names[..seats].to_vec(),
            points: Points::lost_by(1, seats),
            ..Replay::default()
        };
        let page = section(&[game(3)]);
        assert!(
            page.contains("<th>player 3</th>") && page.contains("<td>&lt;Eve&gt;</td>"),
            "{page}"
        );
        assert!(page.contains("<td>0.75 : 0 : 0.75</td>"), "{page}");
        let page = section(&[game(2)]);
        assert!(page.contains("<th>second</th>") && page.contains("<td>1 : 0</td>"), "{page}");
        assert_eq!(result(&Points::draw(2)), "½ : ½");
    }

    #[test]
    fn lines_of_boards_are_stored_once() {
        let game = Replay {
            moves: vec!["a1".to_owned()],
            notes: vec![String::new()],
            boards: vec!["..\n..".to_owned(), "x.\n..".to_owned()],
            ..Replay::default()
        };
        let data = data(&[game.clone(), game]);
        assert_eq!(data.matches("\"..\"").count(), 1, "{data}");
        assert_eq!(data.matches("\"boards\":[[0,0],[1,0]]").count(), 2, "{data}");
    }
}
