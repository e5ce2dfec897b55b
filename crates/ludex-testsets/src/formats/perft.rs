//! Counts of move sequences, in three ways of writing them.
//!
//! ```text
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400
//! breakthrough<tab>6x6<tab>16,256,4308<tab>source<tab>remarks
//! xiangqi<tab>startpos<tab>4<tab>3290240<tab>-
//! ```

use crate::case::{Case, Format, Goal};

const CRITERION: &str =
    "solved: every count that --nodes allows is right; wrong: a count that differs";

pub(crate) const EPD: Format = Format {
    name: "chess counts (EPD)",
    criterion: CRITERION,
    accepts: accepts_epd,
    read: read_epd,
};

pub(crate) const TABLE: Format = Format {
    name: "counts of many games",
    criterion: CRITERION,
    accepts: accepts_table,
    read: read_table,
};

pub(crate) const VARIANTS: Format = Format {
    name: "counts of chess variants",
    criterion: CRITERION,
    accepts: accepts_variant,
    read: read_variant,
};

fn accepts_epd(line: &str) -> bool {
    line.contains(";D1 ") && line.split(' ').next().is_some_and(|it| it.contains('/'))
}

fn read_epd(line: &str) -> Result<Case, String> {
    let mut fields = line.split(';').map(str::trim);
    let position = fields.next().unwrap_or_default().to_owned();
    let mut counts = Vec::new();
    for field in fields.filter(|it| !it.is_empty()) {
        let bad = || format!("`{field}` is no count, as in `D3 8902`");
        let (depth, count) = field.split_once(' ').ok_or_else(bad)?;
        let depth = depth.strip_prefix('D').and_then(|it| it.parse().ok()).ok_or_else(bad)?;
        counts.push((depth, count.trim().parse().map_err(|_| bad())?));
    }
    let goal = counts_of(counts)?;
    Ok(Case { game: "chess".to_owned(), position: Some(position), moves: Vec::new(), goal })
}

fn accepts_table(line: &str) -> bool {
    let fields: Vec<&str> = line.split('\t').collect();
    fields.len() == 5
        && counts(fields[2]).is_ok_and(|it| !it.is_empty())
        && fields[3].parse::<u64>().is_err()
}

fn read_table(line: &str) -> Result<Case, String> {
    let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
    let [game, board, counted, ..] = fields.as_slice() else {
        return Err("a game, a board and counts are wanted".to_owned());
    };
    let game =
        ours(game, board).ok_or_else(|| format!("there is no game here for `{game}` {board}"))?;
    let goal = counts_of(counts(counted)?)?;
    Ok(Case { game, position: None, moves: Vec::new(), goal })
}

/// Counts with commas between them, depth 1 first; `-` where one is unknown, `d4=…` for a single one.
fn counts(text: &str) -> Result<Vec<(u32, u64)>, String> {
    let bad = |it: &str| format!("`{it}` is no count");
    if let Some((depth, count)) = text.strip_prefix('d').and_then(|it| it.split_once('=')) {
        let depth = depth.parse().map_err(|_| bad(text))?;
        return Ok(vec![(depth, count.parse().map_err(|_| bad(text))?)]);
    }
    let mut counts = Vec::new();
    for (depth, count) in (1..).zip(text.split(',').map(str::trim)) {
        if count != "-" {
            counts.push((depth, count.parse().map_err(|_| bad(count))?));
        }
    }
    Ok(counts)
}

fn counts_of(mut counts: Vec<(u32, u64)>) -> Result<Goal, String> {
    counts.sort_unstable();
    if counts.is_empty() {
        return Err("there are no counts".to_owned());
    }
    if counts.iter().any(|(depth, _)| !(1..=100).contains(depth)) {
        return Err("a depth is from 1 to 100".to_owned());
    }
    Ok(Goal::Counts(counts))
}

/// What we call a game of the table.
fn ours(game: &str, board: &str) -> Option<String> {
    let plain = match (game, board) {
        ("chess", "8x8") => "chess",
        // There a forced pass at the end is a ply, too.
        ("othello", "8x8") => "othello:passes=yes",
        ("english checkers", "8x8") => "checkers",
        ("international draughts", "10x10") => "draughts",
        ("lines of action", "8x8") => "loa",
        ("connect four", "7x6") => "connect4",
        ("xiangqi", "9x10") => "xiangqi",
        ("shogi", "9x9") => "shogi",
        ("minishogi", "5x5") => "minishogi",
        ("amazons", "10x10") => "amazons",
        ("clobber", "5x6") => "clobber",
        ("nine men's morris", _) => "morris9",
        ("breakthrough", "8x8") => "breakthrough",
        ("breakthrough", "6x6") => "breakthrough:6,6",
        ("breakthrough", "rows=5 cols=6") => "breakthrough:6,5",
        _ => return None,
    };
    Some(plain.to_owned())
}

fn accepts_variant(line: &str) -> bool {
    let fields: Vec<&str> = line.split('\t').collect();
    fields.len() == 5 && fields[2].parse::<u32>().is_ok() && fields[3].parse::<u64>().is_ok()
}

fn read_variant(line: &str) -> Result<Case, String> {
    let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
    let [variant, position, depth, count, flag] = fields.as_slice() else {
        return Err("a variant, a position, a depth and a count are wanted".to_owned());
    };
    let game = variant_of_ours(variant).filter(|_| *flag != "true");
    let game = game.ok_or_else(|| format!("there is no game here for `{variant}`"))?;
    let depth = depth.parse().map_err(|_| format!("`{depth}` is no depth"))?;
    let count = count.parse().map_err(|_| format!("`{count}` is no count"))?;
    let position = (*position != "startpos").then(|| fen(variant, position));
    let goal = counts_of(vec![(depth, count)])?;
    Ok(Case { game: game.to_owned(), position, moves: Vec::new(), goal })
}

/// What we call a variant.
fn variant_of_ours(variant: &str) -> Option<&'static str> {
    let all = [
        ("chess", "chess"),
        ("xiangqi", "xiangqi"),
        ("shogi", "shogi"),
        ("minishogi", "minishogi"),
        ("breakthrough", "breakthrough"),
        ("clobber", "clobber"),
        ("amazons", "amazons"),
        ("flipello", "othello:passes=yes"),
    ];
    all.iter().find(|(name, _)| *name == variant).map(|(_, ours)| *ours)
}

/// A position as the variant's own notation has it: without fields that mean nothing there, and
/// with our letter for the first player.
fn fen(variant: &str, position: &str) -> String {
    let mut words: Vec<&str> = position.split_whitespace().collect();
    if variant == "xiangqi" && words.get(1) == Some(&"w") {
        words[1] = "r";
    }
    if variant == "breakthrough" {
        words.truncate(2);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn goal(case: Result<Case, String>) -> Vec<(u32, u64)> {
        match case.unwrap().goal {
            Goal::Counts(counts) => counts,
            Goal::Play(_) | Goal::Reach(_) => panic!("these are counts"),
        }
    }

    #[test]
    fn three_ways_of_writing() {
        let epd = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66";
        assert!(accepts_epd(epd));
        assert_eq!(goal(read_epd(epd)), [(1, 15), (2, 66)]);
        let table = "breakthrough\t6x6\t16,256,-,71478\tC source\t-";
        assert!(accepts_table(table) && !accepts_variant(table));
        assert_eq!(goal(read_table(table)), [(1, 16), (2, 256), (4, 71478)]);
        let variant = "xiangqi\tstartpos\t4\t3290240\t-";
        assert!(accepts_variant(variant) && !accepts_table(variant));
        assert_eq!(goal(read_variant(variant)), [(4, 3_290_240)]);
        assert_eq!(counts("d5=701402"), Ok(vec![(5, 701_402)]));
    }

    #[test]
    fn bad_lines_are_told() {
        assert!(read_epd("8/8 ;D1 x").is_err());
        assert!(read_epd("8/8 ;Dx 1").is_err());
        assert!(read_table("ludo\t1x1\t1,2\t-\t-").is_err());
        assert!(read_variant("chess\tstartpos\t0\t1\t-").is_err());
    }
}
