//! What programs say while they think: depth, score, nodes.

use super::{Reply, Score, Verdict};

/// The latest of each.
#[derive(Clone, Debug, Default)]
pub(super) struct Info {
    score: Option<Score>,
    /// Whether that score is only a bound of what the program thinks.
    is_bound: bool,
    depth: Option<u32>,
    nodes: Option<u64>,
}

impl Info {
    /// `info depth 5 score cp 10 nodes 1000 …`, as UCI has it.
    pub(super) fn hear_uci(&mut self, line: &str) {
        let mut words = line.split_whitespace().peekable();
        // What is thought of another line than the best is no score of the position.
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
        // A search whose window was too narrow says so; a bound is better than nothing and no more.
        let is_better = !is_bound || self.is_bound || self.score.is_none();
        if score.is_some() && !is_second && is_better {
            (self.score, self.is_bound) = (score, is_bound);
        }
    }

    /// `5 10 100 1000 e2e4 …`: depth, score, time and nodes, as CECP has it.
    pub(super) fn hear_cecp(&mut self, line: &str) {
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
            it if it >= 100_000.0 => Score::Mate((it - 100_000.0).min(10_000.0) as i32),
            it if it <= -100_000.0 => Score::Mate((it + 100_000.0).max(-10_000.0) as i32),
            it => Score::Centipawns(it),
        };
        (self.depth, self.score, self.nodes) = (Some(depth), Some(score), Some(nodes));
    }

    /// An answer with what was said before it, which is forgotten.
    pub(super) fn answer(&mut self, verdict: Verdict) -> Reply {
        let Self { score, depth, nodes, .. } = std::mem::take(self);
        Reply { verdict, score, depth, nodes }
    }
}

fn centipawns(text: &str) -> Option<Score> {
    text.parse().ok().filter(|it: &f64| it.is_finite()).map(Score::Centipawns)
}

/// A number of moves, or a sign alone, as USI allows.
fn mate(text: &str) -> Option<Score> {
    match text {
        "+" => Some(Score::Mate(1)),
        "-" => Some(Score::Mate(-1)),
        _ => text.parse::<i32>().ok().map(Score::Mate),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_word_counts() {
        let mut info = Info::default();
        info.hear_uci("info depth 4 score cp 31 nodes 280 pv h2g3 depth 9");
        info.hear_uci("info depth 5 multipv 2 score cp -400 nodes 500");
        info.hear_uci("info string score cp 7");
        info.hear_uci("info depth nodes");
        let reply = info.answer(Verdict::Resigns);
        assert_eq!((reply.depth, reply.nodes), (Some(5), Some(500)));
        assert_eq!(reply.score, Some(Score::Centipawns(31.0)));
        info.hear_uci("info depth 6 score cp -538 upperbound nodes 400");
        info.hear_uci("info depth 7 score cp -12 nodes 450");
        info.hear_uci("info depth 8 score cp 90 lowerbound nodes 500");
        assert_eq!(info.answer(Verdict::Resigns).score, Some(Score::Centipawns(-12.0)));
        info.hear_uci("info depth 1 score cp 90 lowerbound nodes 500");
        assert_eq!(info.answer(Verdict::Resigns).score, Some(Score::Centipawns(90.0)));
        info.hear_uci("info score mate -3");
        assert_eq!(info.answer(Verdict::Resigns).score, Some(Score::Mate(-3)));
        info.hear_uci("info score mate +");
        assert_eq!(info.answer(Verdict::Resigns).score, Some(Score::Mate(1)));
    }

    #[test]
    fn thinking_output_of_cecp() {
        let mut info = Info::default();
        info.hear_cecp("7& 25 130 20000 e2e4 e7e5");
        info.hear_cecp("1. e2e4");
        let reply = info.answer(Verdict::Resigns);
        assert_eq!((reply.depth, reply.nodes), (Some(7), Some(20000)));
        assert_eq!(reply.score, Some(Score::Centipawns(25.0)));
        info.hear_cecp("9 -100004 130 20000 e2e4");
        assert_eq!(info.answer(Verdict::Resigns).score, Some(Score::Mate(-4)));
    }
}
