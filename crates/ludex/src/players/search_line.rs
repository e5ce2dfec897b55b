//! The line `search alphabeta depth=4` of a player file: which player thinks, and for how long.

use ludex_diagnostics::Diagnostic;
use ludex_ir::Program;
use ludex_jit::CompiledGame;
use ludex_rules::compile::{Search, Setting};
use ludex_search::spec::SpecError;
use ludex_search::{PlayerOptions, players};

use super::own::OwnLimits;

/// A player of ours by name, with its settings: `uct` and `c=0.7`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wish {
    pub(crate) name: String,
    pub(crate) settings: Vec<(String, String)>,
}

impl Wish {
    /// What a player file asks for; where it asks for nothing, what suits it.
    pub(crate) fn of_file(search: Option<&Search>, program: &Program) -> Self {
        let Some(search) = search else { return Self::usual(program) };
        let settings = search.settings.iter();
        Self {
            name: search.name.text.clone(),
            settings: settings.map(|it| (it.name.clone(), it.value.clone())).collect(),
        }
    }

    /// Alpha-beta for an evaluation in a game of two, and else `auto`.
    fn usual(program: &Program) -> Self {
        let judges = program.roles.evaluate.is_some() && program.players.len() == 2;
        let name = if judges { "alphabeta" } else { "auto" };
        Self { name: name.to_owned(), settings: Vec::new() }
    }

    /// The same with other settings: `depth=2,nodes=100`. `search=uct` is another search, with
    /// nothing of the first one's settings.
    pub(crate) fn with(mut self, options: &str) -> Result<Self, SpecError> {
        for (key, value) in pairs(options)? {
            if key == "search" {
                self = Self { name: value, settings: Vec::new() };
                continue;
            }
            self.settings.retain(|(it, _)| *it != key);
            self.settings.push((key, value));
        }
        Ok(self)
    }

    /// The player that is asked for and the limits it is to keep.
    pub(crate) fn made(&self) -> Result<(String, OwnLimits), SpecError> {
        let (own, rest) = OwnLimits::taken(&self.settings)?;
        let rest: Vec<String> = rest.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let spec = if rest.is_empty() {
            self.name.clone()
        } else {
            format!("{}:{}", self.name, rest.join(","))
        };
        players::player::<CompiledGame>(&spec, PlayerOptions::default())?;
        Ok((spec, own))
    }
}

/// `a=1,b=2`, taken apart.
fn pairs(options: &str) -> Result<Vec<(String, String)>, SpecError> {
    let parts = options.split(',').map(str::trim).filter(|it| !it.is_empty());
    parts
        .map(|part| match part.split_once('=') {
            Some((key, value)) => Ok((key.trim().to_owned(), value.trim().to_owned())),
            None => Err(SpecError::new(format!("`{part}` is not an option: write `{part}=VALUE`"))),
        })
        .collect()
}

/// What is wrong with the search of a file, if anything is.
pub(crate) fn check(search: &Search, program: &Program) -> Option<Diagnostic> {
    let error = Wish::of_file(Some(search), program).made().err()?;
    let (message, help) = match error.message.split_once("; ") {
        Some((message, help)) => (message, Some(help.to_owned())),
        None => (error.message.as_str(), None),
    };
    let diagnostic = match culprit(search, program, &error) {
        Some(setting) => {
            let label = "the search cannot be told this";
            Diagnostic::error("bad-setting", setting.span, message).label(label)
        }
        None => {
            let message = format!("there is no search `{}`", search.name.text);
            Diagnostic::error("unknown-search", search.name.span, message).label("not a search")
        }
    };
    Some(diagnostic.help(help.unwrap_or_else(|| "`ludex players` lists the searches".to_owned())))
}

/// The setting without which there would be no error, or another one.
fn culprit<'a>(search: &'a Search, program: &Program, error: &SpecError) -> Option<&'a Setting> {
    let without = |index: usize| {
        let mut wish = Wish::of_file(Some(search), program);
        wish.settings.remove(index);
        wish.made().err()
    };
    let errors: Vec<Option<SpecError>> = (0..search.settings.len()).map(without).collect();
    let mended = errors.iter().position(Option::is_none);
    let changed = || errors.iter().position(|it| it.as_ref() != Some(error));
    mended.or_else(changed).map(|it| &search.settings[it])
}
