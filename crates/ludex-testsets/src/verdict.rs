//! Whether an answer solves a case, and whether it claims something that is not so.

use ludex_search::Proved;

use crate::case::{Known, Proof};

/// What a player claims of one move.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Claim {
    /// The move's name.
    pub(crate) name: String,
    /// The result that it claims to be proved.
    pub(crate) proved: Option<Proved>,
}

/// What came of a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// Whether it is solved.
    pub(crate) solved: bool,
    /// Whether the move played is known to keep the value of the position; nothing where that is
    /// not known.
    pub(crate) keeps: Option<bool>,
    /// What was wrongly called proved.
    pub(crate) wrong: Option<String>,
}

/// Judges the claims of a player, best move first.
pub(crate) fn judge(known: &Known, claims: &[Claim]) -> Verdict {
    let Some(best) = claims.first() else { return Verdict::default() };
    let wrong =
        claims.iter().find_map(|it| contradiction(known, it)).or_else(|| gives_up(known, best));
    let solved = wrong.is_none() && is_solved(known, best);
    Verdict { solved, keeps: keeps(known, best), wrong }
}

/// 1, 0 or -1.
pub(crate) fn sign(utility: f64) -> i8 {
    if utility > 0.0 {
        1
    } else if utility < 0.0 {
        -1
    } else {
        0
    }
}

/// A claim that contradicts what is known.
fn contradiction(known: &Known, claimed: &Claim) -> Option<String> {
    let proved = claimed.proved?;
    let value = sign(proved.utility);
    let claim = |why: &str| {
        Some(format!("`{}` is called a proved {}, but {why}", claimed.name, proved.name()))
    };
    if known.value.is_some_and(|known| value > known) {
        return claim("the position is worth less");
    }
    let score = known.scores.iter().find(|(name, _)| *name == claimed.name).map(|it| it.1);
    if let Some(score) = score.filter(|it| it.signum() != i64::from(value)) {
        return claim(&format!("its score is {score:+}"));
    }
    let listed = known.best.contains(&claimed.name);
    let best_wins = known.value == Some(1) && known.scores.is_empty();
    if listed && best_wins && value < 1 {
        return claim("it wins");
    }
    match (known.soonest, proved.plies) {
        (Some(soonest), Some(plies)) if value == 1 && plies < soonest => {
            claim(&format!("in {plies} plies where the soonest comes in {soonest}"))
        }
        _ => None,
    }
}

/// A player whose best move is proved lost claims that all others are lost, too.
fn gives_up(known: &Known, best: &Claim) -> Option<String> {
    let lost = best.proved.is_some_and(|it| sign(it.utility) < 0);
    let fine = known.value.is_some_and(|value| value >= 0);
    (lost && fine).then(|| "the position is called lost, but it is not".to_owned())
}

fn is_solved(known: &Known, best: &Claim) -> bool {
    let proved_win = best.proved.is_some_and(|it| sign(it.utility) > 0);
    let plies = best.proved.and_then(|it| it.plies);
    // A win of unknown length may take longer.
    let in_time = known.soonest.is_none_or(|soonest| plies.is_some_and(|it| it <= soonest));
    match known.proof {
        Proof::Solves if proved_win => return true,
        Proof::SolvesInTime if proved_win && in_time => return true,
        _ => {}
    }
    if known.best.is_empty() && known.avoid.is_empty() {
        // The value itself is asked for.
        return best.proved.is_some_and(|it| Some(sign(it.utility)) == known.value);
    }
    (known.best.is_empty() || known.best.contains(&best.name)) && !known.avoid.contains(&best.name)
}

/// Whether the move keeps the value, as far as the file or the player's own proof tell.
fn keeps(known: &Known, best: &Claim) -> Option<bool> {
    let value = known.value?;
    if value < 0 || known.best.contains(&best.name) {
        return Some(true);
    }
    if let Some((_, score)) = known.scores.iter().find(|(name, _)| *name == best.name) {
        return Some(score.signum() >= i64::from(value));
    }
    best.proved.filter(|it| it.exact).map(|it| sign(it.utility) >= value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(name: &str, proved: Option<Proved>) -> Claim {
        Claim { name: name.to_owned(), proved }
    }

    fn best(names: &[&str]) -> Known {
        let best = names.iter().map(|it| (*it).to_owned()).collect();
        Known { value: Some(1), best, ..Known::default() }
    }

    #[test]
    fn values_must_be_proved() {
        let known = Known { value: Some(0), ..Known::default() };
        assert!(!judge(&known, &[said("a", None)]).solved);
        assert!(judge(&known, &[said("a", Some(Proved::DRAW))]).solved);
        assert!(judge(&known, &[said("a", Some(Proved::WIN))]).wrong.is_some());
        assert!(judge(&known, &[said("a", Some(Proved::LOSS))]).wrong.is_some());
        // A worse move may well be proved lost.
        let fine = judge(&known, &[said("a", None), said("b", Some(Proved::LOSS))]);
        assert_eq!(fine.wrong, None);
    }

    #[test]
    fn moves_are_looked_up() {
        let known = best(&["a", "b"]);
        assert!(judge(&known, &[said("b", None)]).solved);
        assert!(!judge(&known, &[said("c", None)]).solved);
        assert!(judge(&known, &[said("c", None), said("a", Some(Proved::LOSS))]).wrong.is_some());
        // A list need not have every move that wins.
        let listed = Known { proof: Proof::Solves, ..best(&["a"]) };
        let other = judge(&listed, &[said("c", Some(Proved::WIN))]);
        assert_eq!((other.solved, other.keeps, other.wrong), (true, Some(true), None));
        let none = Known { value: Some(-1), ..listed };
        assert!(judge(&none, &[said("c", Some(Proved::WIN))]).wrong.is_some());
        let avoid = Known { avoid: vec!["a".to_owned()], ..Known::default() };
        assert!(judge(&avoid, &[said("b", None)]).solved);
        assert!(!judge(&avoid, &[said("a", None)]).solved);
    }

    #[test]
    fn mates_have_a_length() {
        let known = Known { soonest: Some(3), proof: Proof::SolvesInTime, ..best(&["a"]) };
        let win = |plies| Some(Proved::WIN.within(plies));
        assert!(judge(&known, &[said("b", win(3))]).solved);
        assert!(!judge(&known, &[said("b", win(5))]).solved);
        assert!(judge(&known, &[said("a", win(5))]).solved);
        assert!(judge(&known, &[said("b", win(1))]).wrong.is_some());
        let endless = judge(&known, &[said("b", Some(Proved::WIN))]);
        assert_eq!((endless.solved, endless.keeps, endless.wrong), (false, Some(true), None));
    }

    #[test]
    fn scores_have_signs() {
        let scores = vec![("a".to_owned(), 4), ("b".to_owned(), -2)];
        let known = Known { scores, ..best(&["a"]) };
        assert!(judge(&known, &[said("a", Some(Proved::WIN))]).solved);
        assert!(judge(&known, &[said("b", Some(Proved::DRAW))]).wrong.is_some());
        assert_eq!(judge(&known, &[said("b", None)]).keeps, Some(false));
    }
}
