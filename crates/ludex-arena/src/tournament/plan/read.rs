//! Reads the lines of a tournament file.

use std::collections::BTreeMap;
use std::time::Duration;

use ludex_core::text::nearest;
use ludex_search::timing::GameClock;

use super::values::{draw_rule, kind, openings, resign_rule, scoring, some_time, whole, yes_or_no};
use super::{
    Entry, Kind, LONGEST_PLAN, MOST_EVENTS, MOST_GAMES, MOST_PLAYERS, OpeningPlan, Plan, PlanError,
    Scoring,
};
use crate::adjudication::Adjudication;
use crate::engines::EngineSpec;
use crate::engines::spec::PREFIX;
use crate::time_control::TimeControl;
use crate::units;

/// The default move limit.
const DEFAULT_LONGEST: u32 = 2000;

/// The most players that a help text lists.
const LISTED: usize = 12;

/// The keys, each with an example of its value.
pub const KEYS: [(&str, &str); 21] = [
    ("name", "Club championship"),
    ("game", "hex:11"),
    ("player", "Ann uct:c=0.7"),
    ("published", "Ann 24"),
    ("kind", "round-robin | double round-robin | gauntlet | swiss 5 | knockout"),
    ("games", "2"),
    ("scoring", "2 1 0"),
    ("time", "200ms"),
    ("clock", "5m+1s"),
    ("nodes", "1000"),
    ("depth", "6"),
    ("grace", "500ms"),
    ("openings", "none | random 4 | balanced 4 | file lines.txt"),
    ("longest", "200"),
    ("resign", "0.95 3"),
    ("draw", "0.02 6 40"),
    ("ponder", "no"),
    ("concurrency", "2"),
    ("seed", "1"),
    ("threads", "1"),
    ("memory", "64M"),
];

impl Plan {
    /// Reads a tournament file, or reports all its errors.
    pub fn parse(text: &str) -> Result<Self, Vec<PlanError>> {
        if text.len() > LONGEST_PLAN {
            let message = format!("a tournament file has at most {LONGEST_PLAN} bytes");
            return Err(vec![PlanError { line: 0, message, help: None }]);
        }
        let mut reader = Reader::default();
        for (number, line) in (1..).zip(text.lines()) {
            reader.line(number, line);
        }
        reader.finish()
    }
}

/// The values that were read.
#[derive(Debug, Default)]
struct Reader {
    name: Option<String>,
    games: Vec<(usize, String)>,
    players: Vec<Entry>,
    /// Published points: the line, the player's name, the points.
    published: Vec<(usize, String, f64)>,
    kind: Option<Kind>,
    per_pairing: Option<u32>,
    scoring: Option<Scoring>,
    per_move: Option<Duration>,
    clock: Option<GameClock>,
    nodes: Option<u64>,
    depth: Option<u32>,
    grace: Option<Duration>,
    openings: Option<OpeningPlan>,
    longest: Option<u32>,
    adjudication: Adjudication,
    ponder: bool,
    concurrency: Option<u16>,
    seed: Option<u64>,
    threads: Option<u32>,
    memory: Option<usize>,
    /// The lines of the keys that may occur once.
    seen: BTreeMap<String, usize>,
    errors: Vec<PlanError>,
}

/// The most errors that are reported.
const MOST_ERRORS: usize = 20;

impl Reader {
    fn error(&mut self, line: usize, message: impl Into<String>, help: Option<String>) {
        if self.errors.len() < MOST_ERRORS {
            self.errors.push(PlanError { line, message: message.into(), help });
        }
    }

    fn line(&mut self, number: usize, text: &str) {
        let text = without_comment(text).trim();
        if text.is_empty() {
            return;
        }
        let (key, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let value = value.trim();
        let keys = || KEYS.iter().map(|it| it.0);
        let Some((_, example)) = KEYS.iter().find(|(it, _)| *it == key) else {
            let help = match nearest(key, keys()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the keys are {}", keys().collect::<Vec<_>>().join(", ")),
            };
            return self.error(number, format!("there is no key `{key}`"), Some(help));
        };
        if value.is_empty() {
            let help = format!("as in `{key} {example}`");
            return self.error(number, format!("`{key}` has no value"), Some(help));
        }
        if !matches!(key, "game" | "player" | "published")
            && let Some(first) = self.seen.insert(key.to_owned(), number)
        {
            let message = format!("`{key}` is set in line {first} already");
            return self.error(number, message, None);
        }
        if let Err(message) = self.set(number, key, value) {
            self.error(number, message, Some(format!("as in `{key} {example}`")));
        }
    }

    fn set(&mut self, number: usize, key: &str, value: &str) -> Result<(), String> {
        match key {
            "name" => self.name = Some(value.to_owned()),
            "game" => self.game(number, value)?,
            "player" => self.player(number, value)?,
            "published" => self.published(number, value)?,
            "kind" => self.kind = Some(kind(value)?),
            "games" => self.per_pairing = Some(whole(value, 1..=10_000)?),
            "scoring" => self.scoring = Some(scoring(value)?),
            "time" => self.per_move = Some(some_time(value)?),
            "clock" => self.clock = Some(units::game_clock(value)?),
            "nodes" => self.nodes = Some(whole(value, 1..=u64::MAX)?),
            "depth" => self.depth = Some(whole(value, 1..=10_000)?),
            "grace" => self.grace = Some(units::duration(value)?),
            "openings" => self.openings = Some(openings(value)?),
            "longest" => self.longest = Some(whole(value, 1..=1_000_000)?),
            "resign" => self.adjudication.resign = resign_rule(value)?,
            "draw" => self.adjudication.draw = draw_rule(value)?,
            "ponder" => self.ponder = yes_or_no(value)?,
            "concurrency" => self.concurrency = Some(whole(value, 1..=256)?),
            "seed" => self.seed = Some(whole(value, 0..=u64::MAX)?),
            "threads" => self.threads = Some(whole(value, 1..=256)?),
            _ => self.memory = Some(units::size(value)?),
        }
        Ok(())
    }

    fn game(&mut self, line: usize, value: &str) -> Result<(), String> {
        if self.games.len() >= MOST_EVENTS {
            return Err(format!("a tournament has at most {MOST_EVENTS} games"));
        }
        self.games.push((line, value.to_owned()));
        Ok(())
    }

    /// `Ann uct:c=0.7`, `"Ann Lee" uct`, or a spec that is the name as well.
    fn player(&mut self, line: usize, value: &str) -> Result<(), String> {
        let title = title_of_engine(value);
        let (name, spec) = match (value.strip_prefix('"'), &title) {
            (Some(rest), _) => rest.split_once('"').ok_or("the name has no second `\"`")?,
            (None, Some(title)) => (title.as_str(), value),
            (None, None) => value.split_once(char::is_whitespace).unwrap_or((value, value)),
        };
        let (name, spec) = (name.trim(), spec.trim());
        if spec.is_empty() {
            return Err(format!("`{name}` has a name but no player"));
        }
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        // Records list names on one line, separated by a comma and a space.
        if name.is_empty() || name.contains(", ") || name.contains(char::is_control) {
            return Err("a name has no comma before a space".to_owned());
        }
        if name.starts_with(',') || name.ends_with(',') {
            return Err("a name has no comma at its ends".to_owned());
        }
        if self.players.len() >= MOST_PLAYERS {
            return Err(format!("a tournament has at most {MOST_PLAYERS} players"));
        }
        if let Some(other) = self.players.iter().find(|it| it.name == name) {
            return Err(format!("`{name}` is a player already, in line {}", other.line));
        }
        self.players.push(Entry { name, spec: spec.to_owned(), line, published: None });
        Ok(())
    }

    /// `Ann 24`, `"Ann Lee" 7.5`: the number is the last word. The name is looked up after all players
    /// are read.
    fn published(&mut self, line: usize, value: &str) -> Result<(), String> {
        let wrong = || "`published` takes the name of a player and its points".to_owned();
        let (name, points) = match value.strip_prefix('"') {
            Some(rest) => rest.split_once('"').ok_or("the name has no second `\"`")?,
            None => value.rsplit_once(char::is_whitespace).ok_or_else(wrong)?,
        };
        let points: f64 = points.trim().parse().map_err(|_| wrong())?;
        if !points.is_finite() || points.abs() > 1e9 {
            return Err(format!("`{points}` is no number of points"));
        }
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if self.published.len() >= 2 * MOST_PLAYERS {
            return Err(format!("a tournament has at most {MOST_PLAYERS} players"));
        }
        self.published.push((line, name, points));
        Ok(())
    }

    /// Gives published points to their players.
    fn publish(&mut self) {
        for (line, name, points) in std::mem::take(&mut self.published) {
            match self.players.iter_mut().find(|it| it.name == name) {
                Some(Entry { published: Some(_), .. }) => {
                    self.error(line, format!("`{name}` has published points already"), None);
                }
                Some(player) => player.published = Some(points),
                None => {
                    let help = self.suggested_player(&name);
                    self.error(line, format!("there is no player `{name}`"), help);
                }
            }
        }
    }

    /// The player with the nearest name, or a list of the players.
    fn suggested_player(&self, name: &str) -> Option<String> {
        let names = || self.players.iter().map(|it| it.name.as_str());
        if let Some(near) = nearest(name, names()) {
            return Some(format!("did you mean `{near}`?"));
        }
        let listed: Vec<String> = names().take(LISTED).map(|it| format!("`{it}`")).collect();
        let more = if self.players.len() > LISTED { ", …" } else { "" };
        (!listed.is_empty()).then(|| format!("the players are {}{more}", listed.join(", ")))
    }

    fn finish(mut self) -> Result<Plan, Vec<PlanError>> {
        if self.games.is_empty() {
            self.error(0, "there is no game", Some("as in `game hex:11`".to_owned()));
        }
        self.same_game_twice();
        if self.players.len() < 2 {
            let help = Some("as in `player Ann uct:c=0.7`".to_owned());
            self.error(0, "a tournament has at least two players", help);
        }
        self.publish();
        self.contradictions();
        let plan = self.plan();
        if self.errors.is_empty() && plan.expected_games() > MOST_GAMES {
            self.error(0, format!("a tournament has at most {MOST_GAMES} games"), None);
        }
        if self.errors.is_empty() { Ok(plan) } else { Err(self.errors) }
    }

    fn same_game_twice(&mut self) {
        let games = self.games.clone();
        for (number, (line, game)) in games.iter().enumerate() {
            if games[..number].iter().any(|(_, it)| it == game) {
                self.error(*line, format!("`{game}` is played already"), None);
            }
        }
    }

    /// Settings that contradict each other.
    fn contradictions(&mut self) {
        let line = |this: &Self, key: &str| this.seen.get(key).copied().unwrap_or(0);
        if self.clock.is_some() && self.per_move.is_some() {
            let at = line(self, "time").max(line(self, "clock"));
            let message = "a clock for the whole game and a time for each move cannot be combined";
            self.error(at, message, None);
        }
        for (key, is_said) in [("nodes", self.nodes.is_some()), ("depth", self.depth.is_some())] {
            if self.clock.is_some() && is_said {
                let at = line(self, key).max(line(self, "clock"));
                let help = Some(format!("set it for a player: `player Ann uct:{key}=4`"));
                let message = format!("`{key}` for all players cannot be combined with `clock`");
                self.error(at, message, help);
            }
        }
        if self.grace.is_some() && self.per_move.is_none() {
            let at = line(self, "grace");
            self.error(at, "`grace` needs a `time` for each move", None);
        }
        let at = line(self, "kind");
        match self.kind {
            Some(Kind::Gauntlet(heroes)) if heroes >= self.players.len() => {
                let message = format!("there is no opponent for the first {heroes} players");
                self.error(at, message, None);
            }
            Some(Kind::Swiss(rounds)) if rounds as usize >= self.players.len().max(1) => {
                let most = self.players.len().saturating_sub(1);
                let message =
                    format!("{} players have at most {most} rounds without rematches", most + 1);
                self.error(at, message, Some("play a round-robin".to_owned()));
            }
            _ => {}
        }
    }

    fn plan(&mut self) -> Plan {
        let kind = self.kind.unwrap_or(Kind::RoundRobin);
        let usual_games = match kind {
            Kind::Gauntlet(_) | Kind::Knockout => 2,
            Kind::RoundRobin | Kind::DoubleRoundRobin | Kind::Swiss(_) => 1,
        };
        let time_control = TimeControl {
            per_move: self.per_move,
            default_time: None,
            clock: self.clock,
            nodes: self.nodes,
            depth: self.depth,
            grace: self.grace,
        };
        Plan {
            name: self.name.take().unwrap_or_else(|| "tournament".to_owned()),
            games: self.games.drain(..).map(|it| it.1).collect(),
            players: std::mem::take(&mut self.players),
            kind,
            seats: 2,
            games_per_pairing: self.per_pairing.unwrap_or(usual_games),
            scoring: self.scoring.unwrap_or_default(),
            time_control,
            openings: self.openings.take().unwrap_or(OpeningPlan::None),
            longest: self.longest.unwrap_or(DEFAULT_LONGEST),
            adjudication: self.adjudication,
            ponder: self.ponder,
            seed: self.seed.unwrap_or(0),
            threads: self.threads.unwrap_or(1),
            memory: self.memory.unwrap_or(256 << 20),
            concurrency: self.concurrency.unwrap_or(1),
        }
    }
}

/// The text before a `#` that stands at the beginning or after white space, and not in quotes.
fn without_comment(text: &str) -> &str {
    let (mut quoted, mut before) = (false, ' ');
    for (at, letter) in text.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '#' if !quoted && before.is_whitespace() => return &text[..at],
            _ => {}
        }
        before = letter;
    }
    text
}

/// The title of an external engine without another name, where `value` is one: its command may have
/// spaces.
fn title_of_engine(value: &str) -> Option<String> {
    let command = value.strip_prefix(PREFIX)?;
    let written = || command.split([' ', ',']).next().unwrap_or_default().to_owned();
    Some(EngineSpec::parse(command).map_or_else(|_| written(), |it| it.title().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const AFTERNOON: &str = "\
# An afternoon.
name      Phutball, 1999   # with a comment
game      draughts
game      go:9
player    Platon            players/platon.player:depth=6
player    \"Lao Tseu\"        alphabeta:depth=1
player    uct:c=0.7
kind      double round-robin
scoring   2 1 0
clock     5m+1s
longest   200
openings  balanced 4
resign    0.95 3
seed      7
";

    #[test]
    fn a_file_is_read() {
        let plan = Plan::parse(AFTERNOON).expect("it is right");
        assert_eq!(plan.name, "Phutball, 1999");
        assert_eq!(plan.games, ["draughts", "go:9"]);
        assert_eq!(plan.names(), ["Platon", "Lao Tseu", "uct:c=0.7"]);
        assert_eq!(plan.players[2].spec, "uct:c=0.7");
        assert_eq!(plan.kind, Kind::DoubleRoundRobin);
        assert_eq!(plan.scoring, Scoring { win: 2.0, draw: 1.0, loss: 0.0 });
        assert_eq!(plan.openings, OpeningPlan::Random { plies: 4, balanced: true });
        assert_eq!(plan.expected_games(), 12);
        assert_eq!(plan.time_control.clock.map(|it| it.left), Some(Duration::from_mins(5)));
    }

    #[test]
    fn published_points_are_kept_beside_the_players() {
        let text = "published \"Ann Lee\" 7.5\ngame g\nplayer \"Ann Lee\" x\nplayer b\n\
                    published  Bob Roy   -1   # he fell ill\nplayer \"Bob Roy\" y\n";
        let plan = Plan::parse(text).expect("it is right");
        let published: Vec<_> = plan.players.iter().map(|it| it.published).collect();
        assert_eq!(published, [Some(7.5), None, Some(-1.0)]);
    }

    #[test]
    fn players_without_a_name_are_named_by_their_spec() {
        let text = "game g\nplayer uct:c=1,threads=2\nplayer cmd:/a/stones --mode gtp,time=5s\n\
                    player cmd:fish -x,name=Old Fish\nplayer \"Ann\" cmd:fish -y\n";
        let plan = Plan::parse(text).expect("it is right");
        assert_eq!(plan.names(), ["uct:c=1,threads=2", "stones", "Old Fish", "Ann"]);
        assert_eq!(plan.players[1].spec, "cmd:/a/stones --mode gtp,time=5s");
        assert_eq!(plan.players[3].spec, "cmd:fish -y");
    }

    #[track_caller]
    fn check(change: &str, line: usize, message: &str, help: &str) {
        let text = format!("game g\nplayer a\nplayer b\n{change}\n");
        let errors = Plan::parse(&text).expect_err(change);
        let found = errors.iter().any(|it| {
            it.line == line
                && it.message.contains(message)
                && it.help.as_deref().unwrap_or("").contains(help)
        });
        assert!(found, "{change}: {errors:?}");
    }

    #[test]
    fn errors_are_reported_with_their_line() {
        check("scorring 2 1 0", 4, "no key `scorring`", "did you mean `scoring`?");
        check("kind swis 5", 4, "did you mean `swiss`?", "");
        check("kind swiss", 4, "how many rounds", "");
        check("kind swiss 2", 4, "at most 1 rounds", "round-robin");
        check("scoring 0 1 2", 4, "no less than a draw", "");
        check("scoring 2 1", 4, "three numbers", "2 1 0");
        check("seed\n", 4, "`seed` has no value", "seed 1");
        check("seed 1\nseed 2", 5, "line 4 already", "");
        check("published a", 4, "its points", "published Ann 24");
        check("published a many", 4, "its points", "");
        check("published a inf", 4, "no number of points", "");
        check("player Ann x\npublished Anne 3", 5, "no player `Anne`", "did you mean `Ann`?");
        check("published Zacharias 3", 4, "no player `Zacharias`", "the players are `a`, `b`");
        check("published \"a 3", 4, "no second", "published Ann 24");
        check("published \"a\"", 4, "its points", "");
        check("published a 3\npublished a 4", 5, "already", "");
        check("player a uct", 4, "`a` is a player already, in line 2", "");
        check("player \"x uct", 4, "no second", "");
        check("player \"a, b\" uct", 4, "no comma before a space", "");
        check("player a,", 4, "no comma at its ends", "");
        check("clock 5m\ntime 1s", 5, "cannot be combined", "");
        check("clock 5m\ndepth 3", 5, "`depth` for all", "");
        check("nodes 30\nclock 5m", 5, "`nodes` for all", "");
        check("openings blanced 3", 4, "did you mean `balanced`?", "");
        check("games 0", 4, "`0` is no whole number from 1 to 10000", "");
        check("game g", 4, "played already", "");
        check("kind gauntlet 2", 4, "no opponent", "");
        check("ponder perhaps", 4, "neither", "");
        check("resign 2 3", 4, "from 0 to 1", "");
        check("resign 0.9 3 4", 4, "a number of moves", "resign 0.95 3");
        check("draw 0.9", 4, "one or two numbers", "draw 0.02 6 40");
        // Comparing all of these with each other would take long.
        let many =
            |key: &str| (0..80_000).map(|it| format!("{key} {it}")).collect::<Vec<_>>().join("\n");
        check(&many("game"), 203, "at most 200 games", "");
        check(&many("player"), 502, "at most 500 players", "");
        let errors = Plan::parse("").expect_err("nothing is there");
        assert_eq!(errors.len(), 2, "{errors:?}");
    }

    #[test]
    fn games_of_more_players_are_for_groups() {
        let plan = |lines: &str, seats: usize| {
            let players = "player a\nplayer b\nplayer c\nplayer d\n";
            Plan::parse(&format!("game g\n{players}{lines}\n"))
                .expect("it is right")
                .for_seats(seats)
        };
        assert_eq!(plan("", 2).map(|it| it.expected_games()), Ok(6));
        assert_eq!(plan("", 3).map(|it| it.expected_games()), Ok(4 * 3), "a set at least");
        assert_eq!(plan("games 4", 3).map(|it| it.expected_games()), Ok(4 * 6));
        assert_eq!(plan("kind double round-robin", 4).map(|it| it.expected_games()), Ok(8));
        assert_ne!(plan("", 3).map(|it| it.lines()), plan("", 4).map(|it| it.lines()));
        for (lines, seats, wrong) in [
            ("", 1, "one player"),
            ("", 5, "at least 5"),
            ("kind swiss 3", 3, "`kind swiss 3` is for games of two players"),
            ("kind knockout", 3, "two players; this one has 3"),
            ("openings balanced 4", 3, "`openings balanced`"),
            ("resign 0.9 3", 3, "`resign`"),
        ] {
            let error = plan(lines, seats).expect_err(lines);
            assert!(error.contains(wrong), "{lines}: {error}");
        }
    }

    #[test]
    fn the_lines_identify_a_tournament() {
        let plan = |change: &str| {
            Plan::parse(&format!("game g\nplayer a\nplayer b\n{change}\n")).expect("it is right")
        };
        let lines = plan("").lines();
        for change in
            ["seed 3", "games 2", "scoring 3 1 0", "nodes 5", "player c", "game h", "draw 0 3"]
        {
            assert_ne!(plan(change).lines(), lines, "{change}");
        }
        assert_eq!(plan("concurrency 8").lines(), lines);
        assert_eq!(plan("published a 3").lines(), lines, "published points are no part of it");
        assert_eq!(plan("# nothing").lines(), lines);
    }
}
