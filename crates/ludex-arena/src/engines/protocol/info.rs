//! The search output of engines: depth, score, nodes.

use super::{EngineAction, EngineReply, EngineScore};

/// The latest value of each.
#[derive(Clone, Debug, Default)]
pub(super) struct Info {
    score: Option<EngineScore>,
    /// Whether that score is only a bound.
    is_bound: bool,
    depth: Option<u32>,
    nodes: Option<u64>,
}

impl Info {
    /// `info depth 5 score cp 10 nodes 1000 …`, as UCI has it.
    pub(super) fn read_uci(&mut self, line: &str) {
        let mut words = line.split_whitespace().peekable();
        // The score of a second line (`multipv 2`) is not that of the position.
        let (mut is_second, mut is_bound) = (false, false);
        let mut score = None;
        while let Some(word) = words.next() {
            match word {
                "string" | "pv" => break,
                "depth" => self.depth = words.peek().and_then(|it| it.parse().ok()).or(self.depth),
                "nodes" => self.nodes = words.peek().and_then(|it| it.parse().ok()).or(self.nodes),
                "multipv" => is_second = words.peek().is_some_and(|it| *it != "1"),
                "cp" => score = words.peek().and_then(|it| centipawns(it)),
                "mate" => score = words.peek().and_then(|it| mate(it)),
                "lowerbound" | "upperbound" => is_bound = true,
                _ => {}
            }
        }
        // A bound from a failed aspiration window counts only without an exact score.
        let is_better = !is_bound || self.is_bound || self.score.is_none();
        if score.is_some() && !is_second && is_better {
            (self.score, self.is_bound) = (score, is_bound);
        }
    }

    /// `5 10 100 1000 e2e4 …`: depth, score, time and nodes, as CECP has it.
    pub(super) fn read_cecp(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        // Some mark the depth: `5&`, `5.`, `5+`.
        let plain = |it: &str| it.trim_end_matches(|it: char| !it.is_ascii_digit()).parse().ok();
        let Some(depth) = words.next().and_then(plain) else { return };
        let Some(score) = words.next().and_then(|it| it.parse::<f64>().ok()) else { return };
        if words.next().and_then(|it| it.parse::<i64>().ok()).is_none() {
            return;
        }
        let Some(nodes) = words.next().and_then(|it| it.parse().ok()) else { return };
        let score = match score {
            it if it >= 100_000.0 => EngineScore::Mate((it - 100_000.0).min(10_000.0) as i32),
            it if it <= -100_000.0 => EngineScore::Mate((it + 100_000.0).max(-10_000.0) as i32),
            it => EngineScore::Centipawns(it),
        };
        (self.depth, self.score, self.nodes) = (Some(depth), Some(score), Some(nodes));
    }

    /// A reply with the search output before it, which is then cleared.
    pub(super) fn answer(&mut self, action: EngineAction) -> EngineReply {
        let Self { score, depth, nodes, .. } = std::mem::take(self);
        EngineReply { action, score, depth, nodes }
    }
}

fn centipawns(text: &str) -> Option<EngineScore> {
    text.parse().ok().filter(|it: &f64| it.is_finite()).map(EngineScore::Centipawns)
}

/// The number of moves, or a sign alone, as USI allows.
fn mate(text: &str) -> Option<EngineScore> {
    match text {
        "+" => Some(EngineScore::Mate(1)),
        "-" => Some(EngineScore::Mate(-1)),
        _ => text.parse::<i32>().ok().map(EngineScore::Mate),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_score_counts() {
        let mut info = Info::default();
        info.read_uci("info depth 4 score cp 31 nodes 280 pv h2g3 depth 9");
        info.read_uci("info depth 5 multipv 2 score cp -400 nodes 500");
        info.read_uci("info string score cp 7");
        info.read_uci("info depth nodes");
        let reply = info.answer(EngineAction::Resign);
        assert_eq!((reply.depth, reply.nodes), (Some(5), Some(500)));
        assert_eq!(reply.score, Some(EngineScore::Centipawns(31.0)));
        info.read_uci("info depth 6 score cp -538 upperbound nodes 400");
        info.read_uci("info depth 7 score cp -12 nodes 450");
        info.read_uci("info depth 8 score cp 90 lowerbound nodes 500");
        assert_eq!(info.answer(EngineAction::Resign).score, Some(EngineScore::Centipawns(-12.0)));
        info.read_uci("info depth 1 score cp 90 lowerbound nodes 500");
        assert_eq!(info.answer(EngineAction::Resign).score, Some(EngineScore::Centipawns(90.0)));
        info.read_uci("info score mate -3");
        assert_eq!(info.answer(EngineAction::Resign).score, Some(EngineScore::Mate(-3)));
        info.read_uci("info score mate +");
        assert_eq!(info.answer(EngineAction::Resign).score, Some(EngineScore::Mate(1)));
    }

    #[test]
    fn thinking_output_of_cecp() {
        let mut info = Info::default();
        info.read_cecp("7& 25 130 20000 e2e4 e7e5");
        info.read_cecp("1. e2e4");
        let reply = info.answer(EngineAction::Resign);
        assert_eq!((reply.depth, reply.nodes), (Some(7), Some(20000)));
        assert_eq!(reply.score, Some(EngineScore::Centipawns(25.0)));
        info.read_cecp("9 -100004 130 20000 e2e4");
        assert_eq!(info.answer(EngineAction::Resign).score, Some(EngineScore::Mate(-4)));
    }
}
