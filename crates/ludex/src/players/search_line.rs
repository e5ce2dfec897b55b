//! The line `search alphabeta depth=4` of a player file: which player searches, and for how long.

use std::sync::Arc;

use ludex_diagnostics::Diagnostic;
use ludex_ir::Program;
use ludex_rules::compile::Search;
use ludex_search::{Spec, spec::SpecOption};

use super::{PlayerSpec, Registry};

/// The player that a file names, with the places of its settings in the file; where the file
/// names none, alpha-beta for an evaluation in a game of two, and else `auto`.
pub(crate) fn spec(search: Option<&Search>, program: &Program) -> Spec {
    let Some(search) = search else {
        let evaluates = program.roles.evaluate.is_some() && program.players.len() == 2;
        return Spec::new(if evaluates { "alphabeta" } else { "auto" });
    };
    let mut spec = Spec::new(&search.name.text);
    for setting in &search.settings {
        let at = setting.span.start as usize..setting.span.end as usize;
        spec.set(SpecOption { key: setting.name.clone(), value: setting.value.clone(), at });
    }
    spec
}

/// What is wrong with the search of a file, if anything is.
pub(crate) fn check(
    registry: Arc<Registry>,
    search: &Search,
    program: &Program,
) -> Option<Diagnostic> {
    let error = PlayerSpec::new(registry, spec(Some(search), program), None).err()?;
    let is_at = |start: u32| error.at.as_ref().is_some_and(|at| at.start == start as usize);
    let diagnostic = match search.settings.iter().find(|it| is_at(it.span.start)) {
        Some(setting) => Diagnostic::error("bad-setting", setting.span, &error.message)
            .label("the search cannot be told this"),
        None => {
            let message = format!("there is no search `{}`", search.name.text);
            Diagnostic::error("unknown-search", search.name.span, message).label("not a search")
        }
    };
    let help = error.help.unwrap_or_else(|| "`ludex players` lists the searches".to_owned());
    Some(diagnostic.help(help))
}
