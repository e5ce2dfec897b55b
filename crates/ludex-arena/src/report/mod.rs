//! The report of a tournament: one self-contained page of HTML.
//!
//! * [`escape`]: untrusted text, escaped.
//! * [`plot`]: the ratings as SVG.
//! * [`replay`]: every game, move by move.
//!
//! **Invariant:** the names of players, games and moves cannot inject HTML or script: all text is
//! escaped, the page's script builds no HTML out of text, and the page forbids itself the network.

pub mod escape;
pub mod plot;
pub mod replay;

use std::fmt::Write;

use escape::html;
use replay::Replay;

use crate::statistics::Score;
use crate::tournament::Standing;

/// The contents of the page.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The tournament's name.
    pub title: String,
    /// The conditions of the tournament, line by line.
    pub conditions: Vec<(String, String)>,
    /// The players' names.
    pub names: Vec<String>,
    /// The published points of each player in another table, where there are any.
    pub published: Vec<Option<f64>>,
    /// The standings, leader first.
    pub standings: Vec<Standing>,
    /// The crosstable, by player.
    pub crosstable: Vec<Vec<Score>>,
    /// The expected number of games.
    pub expected: u64,
    /// The games.
    pub games: Vec<Replay>,
}

impl Page {
    /// The page as text.
    pub fn html(&self) -> String {
        let title = html(&self.title);
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        );
        let _ = writeln!(page, "<p>{} of {} games played.</p>", self.games.len(), self.expected);
        self.standings_table(&mut page);
        self.crosstable(&mut page);
        let rated = self.standings.iter().filter_map(|it| Some((self.name(it.player), it.rating?)));
        let rated: Vec<_> = rated.collect();
        if !rated.is_empty() {
            let _ = writeln!(page, "<h2>Ratings</h2>\n{}", plot::ratings(&rated));
        }
        page.push_str(&replay::section(&self.games));
        page.push_str("<h2>Conditions</h2>\n<table>\n");
        for (key, value) in &self.conditions {
            let _ = writeln!(page, "<tr><th>{}</th><td>{}</td></tr>", html(key), html(value));
        }
        page.push_str("</table>\n</body>\n</html>\n");
        page
    }

    fn name(&self, player: usize) -> &str {
        self.names.get(player).map_or("?", String::as_str)
    }

    fn standings_table(&self, page: &mut String) {
        let is_published = self.published.iter().any(Option::is_some);
        let _ = writeln!(
            page,
            "<h2>Standings</h2>\n<table>\n<tr><th></th><th>player</th><th>points</th>{}<th>games</th>\
             <th>won</th><th>drawn</th><th>lost</th><th title=\"Sonneborn-Berger\">S.-B.</th>\
             <th>rating</th></tr>",
            if is_published { "<th>published</th>" } else { "" },
        );
        for line in &self.standings {
            let Score { wins, draws, losses } = line.score;
            let rating = line.rating.map_or_else(String::new, |it| {
                format!("{:+.0} ± {:.0}", it.value.round() + 0.0, it.high - it.value)
            });
            let published = self.published.get(line.player).copied().flatten();
            let published = published.map(|it| it.to_string()).unwrap_or_default();
            let published =
                if is_published { format!("<td>{published}</td>") } else { String::new() };
            let _ = writeln!(
                page,
                "<tr><td>{}</td><td class=\"name\">{}</td><td><b>{}</b></td>{published}<td>{}</td><td>{wins}</td>\
                 <td>{draws}</td><td>{losses}</td><td>{}</td><td>{rating}</td></tr>",
                line.rank,
                html(self.name(line.player)),
                line.points,
                line.games,
                line.sonneborn_berger,
            );
        }
        page.push_str("</table>\n");
    }

    fn crosstable(&self, page: &mut String) {
        page.push_str("<h2>Crosstable</h2>\n<table class=\"cross\">\n<tr><th></th><th></th>");
        for line in &self.standings {
            let name = html(self.name(line.player));
            let _ = write!(page, "<th title=\"{name}\">{}</th>", line.rank);
        }
        page.push_str("</tr>\n");
        for line in &self.standings {
            let name = html(self.name(line.player));
            let _ = write!(page, "<tr><td>{}</td><td class=\"name\">{name}</td>", line.rank);
            for other in &self.standings {
                let score = self.crosstable.get(line.player).and_then(|it| it.get(other.player));
                let score = score.copied().unwrap_or_default();
                let text = match score {
                    _ if line.player == other.player => "·".to_owned(),
                    it if it.games() == 0 => String::new(),
                    Score { wins, draws, losses } => format!("+{wins} ={draws} −{losses}"),
                };
                let _ = write!(page, "<td>{text}</td>");
            }
            page.push_str("</tr>\n");
        }
        page.push_str("</table>\n");
    }
}

const STYLE: &str = "\
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; background: #fff; }
table { border-collapse: collapse; }
th, td { padding: .15rem .6rem; border-bottom: 1px solid #ddd; text-align: right; }
th { font-weight: 600; }
td.name, td.text, #games td { text-align: left; }
pre { font: 14px/1.2 ui-monospace, monospace; background: #f4f4f0; padding: 1rem; overflow: auto; }
button { font: inherit; padding: .1rem .6rem; }
.scroll { max-height: 22rem; overflow: auto; }
.hint { color: #777; font-size: 85%; }
#moves span { cursor: pointer; padding: 0 .2rem; }
#moves span.now { background: #ffe08a; }
#moves { max-height: 12rem; overflow: auto; }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #1b1b1b; } pre { background: #262622; }
  th, td { border-color: #444; } #moves span.now { color: #222; } svg text { fill: #ddd; }
  .hint { color: #999; }
}
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::Points;
    use crate::statistics::Estimate;

    #[test]
    fn names_cannot_inject_html() {
        let nasty = "<script>alert('&')</script>\"--></title>".to_owned();
        let standing = Standing {
            player: 0,
            rank: 1,
            games: 6,
            score: Score { wins: 1, draws: 2, losses: 3 },
            points: 2.0,
            sonneborn_berger: 0.5,
            direct: 0.0,
            byes: 0,
            rating: Some(Estimate { value: 10.0, low: f64::NEG_INFINITY, high: 20.0 }),
        };
        let game = Replay {
            number: 1,
            game: nasty.clone(),
            round: 1,
            players: vec![nasty.clone(), nasty.clone()],
            points: Points::lost_by(1, 2),
            how: nasty.clone(),
            moves: vec![nasty.clone()],
            notes: vec![nasty.clone()],
            boards: vec![nasty.clone(), format!("{nasty}\n\u{2028}</script>")],
        };
        let page = Page {
            title: nasty.clone(),
            conditions: vec![(nasty.clone(), nasty.clone())],
            names: vec![nasty],
            published: vec![Some(7.5)],
            standings: vec![standing],
            crosstable: vec![vec![Score::default()]],
            expected: 1,
            games: vec![game],
        };
        let html = page.html();
        assert!(!html.contains("<script>alert"), "{html}");
        assert_eq!(html.matches("</script>").count(), 2, "only those of the page itself");
        assert!(html.contains("&lt;script&gt;alert(&#39;&amp;&#39;)"));
        assert!(html.contains("<th>published</th>") && html.contains("<td>7.5</td>"), "{html}");
        assert!(!html.contains("\u{2028}"));
        assert!(!html.contains("http://") && !html.contains("https://"), "no network");
        assert!(!html.contains("NaN") && !html.contains("inf"));
    }
}
