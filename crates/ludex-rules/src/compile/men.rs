//! Declarations of players and of kinds of men.

use ludex_diagnostics::Diagnostic;
use ludex_ir::Man;
use ludex_ir::program::{MAX_MEN, MAX_PLAYERS};

use crate::ast::{ManDecl, PlayerDecl};

use super::Compiler;
use super::board::COMPASS;

impl Compiler {
    pub(crate) fn declare_players(&mut self, players: &[PlayerDecl]) {
        for player in players {
            if !self.check_fresh(&player.name) {
                continue;
            }
            if self.players.len() >= MAX_PLAYERS {
                let message = "a game has at most 16 players".to_owned();
                self.bad_range(player.name.span, message, "one too many", "remove some players");
                return;
            }
            let forward = player.forward.as_ref().map(|word| {
                let known = COMPASS.iter().find(|(it, _)| *it == word.text);
                let on_board =
                    self.board.on_grid == 0 || self.board.named_direction(&word.text).is_some();
                if known.is_none() || !on_board {
                    self.unknown_direction(&word.text, word.span);
                }
                known.map_or((0, 1), |&(_, offset)| offset)
            });
            self.players.push(player.name.text.clone());
            self.forwards.push(forward);
        }
    }

    pub(crate) fn declare_men(&mut self, men: &[ManDecl]) {
        for man in men {
            if !self.check_fresh(&man.name) {
                continue;
            }
            self.declared.push((man.name.text.clone(), man.name.span, "kind"));
            let owners = if man.neutral { 1 } else { self.players.len() };
            let mut symbols: Vec<String> = man.symbols.iter().map(|(it, _)| it.clone()).collect();
            if symbols.is_empty() && owners <= 2 {
                let letter = &man.name.text[..1];
                symbols = [letter.to_uppercase(), letter.to_lowercase()][..owners].to_vec();
            }
            if symbols.len() != owners && owners > 0 {
                let span = match man.symbols.last() {
                    Some((_, last)) => man.symbols[0].1.to(*last),
                    None => man.name.span,
                };
                let number =
                    |n: usize| if n == 1 { "1 symbol".to_owned() } else { format!("{n} symbols") };
                let message = format!("`{}` needs {}", man.name.text, number(owners));
                let example: Vec<String> =
                    "ABCDEFGHIJKLMNOP".chars().take(owners).map(|it| format!("\"{it}\"")).collect();
                let (name, example) = (&man.name.text, example.join(" "));
                self.report(
                    Diagnostic::error("wrong-symbols", span, message)
                        .label(format!("{} for {owners} players", number(symbols.len())))
                        .help(if man.neutral {
                            format!("a neutral man has one symbol: `{name} neutral {example}`")
                        } else {
                            format!(
                                "give one for each player, in their order: `men {name} {example}`"
                            )
                        }),
                );
                symbols = vec![String::new(); owners];
            }
            self.add_man(man, symbols);
        }
    }

    fn add_man(&mut self, man: &ManDecl, symbols: Vec<String>) {
        let kind = self.kinds.len() as u8;
        self.kinds.push(man.name.text.clone());
        self.neutral.push(man.neutral);
        self.kind_symbols.push(symbols.first().map(|it| it.to_uppercase()).unwrap_or_default());
        let mut bad = false;
        for (owner, symbol) in symbols.into_iter().enumerate() {
            let taken = self.men.iter().find(|it| it.symbol == symbol && !symbol.is_empty());
            let strange =
                symbol.chars().any(|c| c.is_ascii_digit() || c == '/' || c.is_whitespace());
            let label = match taken {
                _ if strange => Some("has a digit, a `/` or a blank in it".to_owned()),
                Some(other) => {
                    Some(format!("is the symbol of `{}` already", self.kinds[other.kind as usize]))
                }
                None => man
                    .symbols
                    .get(owner)
                    .filter(|(it, _)| it.is_empty())
                    .map(|_| "is empty".to_owned()),
            };
            // One message for each man is enough.
            if let Some(label) = label.filter(|_| !std::mem::replace(&mut bad, true)) {
                let (span, name) = (
                    man.symbols.get(owner).map_or(man.name.span, |(_, span)| *span),
                    &man.name.text,
                );
                let example = if man.neutral { "neutral \"*\"" } else { "\"N\" \"n\"" };
                self.report(
                    Diagnostic::error(
                        "bad-symbol",
                        span,
                        format!("`{symbol}` cannot be the symbol of `{name}`"),
                    )
                    .label(label)
                    .help(format!("give it a symbol of its own, for instance `{name} {example}`")),
                );
            }
            let owner = (!man.neutral).then_some(owner as u8);
            self.men.push(Man { owner, kind, symbol });
        }
        if self.men.len() > MAX_MEN {
            let message = format!("there are more than {MAX_MEN} different men");
            self.bad_range(
                man.name.span,
                message,
                "each kind counts once for each player, a neutral one once",
                "use fewer kinds, or `neutral` ones",
            );
            self.men.truncate(MAX_MEN);
        }
    }
}
