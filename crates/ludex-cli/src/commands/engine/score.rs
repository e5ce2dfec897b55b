//! The score of a line, in the notation of the protocols.

use ludex_search::Line;

/// The centipawns of a proved win in CECP, to which the moves until then are added.
const MATE: i64 = 100_000;

/// A value from -1 to 1 in centipawns: the logistic curve of Elo's rating with 100 points for a pawn, as
/// in the arena.
fn centipawns(value: f64) -> f64 {
    let value = value.clamp(-0.9999, 0.9999);
    400.0 * ((1.0 + value) / (1.0 - value)).log10()
}

/// A proved result.
enum Known {
    /// A win in this number of plies, or a loss if it is negative; 0 is a loss at once.
    Mate {
        wins: bool,
        plies: u32,
    },
    Draw,
    Nothing,
}

fn known<M>(line: &Line<M>) -> Known {
    let Some(proved) = line.proved else { return Known::Nothing };
    match (proved.name(), proved.plies) {
        ("win", Some(plies)) => Known::Mate { wins: true, plies },
        ("loss", Some(plies)) => Known::Mate { wins: false, plies },
        ("draw", _) => Known::Draw,
        _ => Known::Nothing,
    }
}

/// In UCI and UGI: a mate is counted in moves of the winner.
pub(super) fn uci<M>(line: &Line<M>) -> String {
    match known(line) {
        Known::Mate { wins: true, plies } => format!("mate {}", plies.div_ceil(2)),
        Known::Mate { wins: false, plies } => format!("mate -{}", plies / 2),
        Known::Draw => "cp 0".to_owned(),
        Known::Nothing => format!("cp {:.0}", centipawns(line.value)),
    }
}

/// In USI: a mate is counted in plies.
pub(super) fn usi<M>(line: &Line<M>) -> String {
    match known(line) {
        Known::Mate { wins: true, plies } => format!("mate {plies}"),
        Known::Mate { wins: false, plies } => format!("mate -{plies}"),
        Known::Draw | Known::Nothing => uci(line),
    }
}

/// In CECP: centipawns, and for a mate a very large number of them.
pub(super) fn cecp<M>(line: &Line<M>) -> i64 {
    match known(line) {
        Known::Mate { wins: true, plies } => MATE + i64::from(plies.div_ceil(2)),
        Known::Mate { wins: false, plies } => -MATE - i64::from(plies / 2),
        Known::Draw => 0,
        Known::Nothing => centipawns(line.value).round() as i64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_in_the_words_of_each() {
        let mut line = Line::new(0_u8);
        let all = |line: &Line<u8>| (uci(line), usi(line), cecp(line));
        assert_eq!(all(&line), ("cp 0".to_owned(), "cp 0".to_owned(), 0));
        line.value = 0.5;
        assert_eq!(all(&line), ("cp 191".to_owned(), "cp 191".to_owned(), 191));
        line.proved = Some(ludex_search::Proved::WIN.within(5));
        assert_eq!(all(&line), ("mate 3".to_owned(), "mate 5".to_owned(), 100_003));
        line.proved = Some(ludex_search::Proved::LOSS.within(4));
        assert_eq!(all(&line), ("mate -2".to_owned(), "mate -4".to_owned(), -100_002));
    }
}
