//! Players by name, with options: `uct:c=0.7,threads=2`.

use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::str::FromStr;

use ludex_core::text::nearest;

/// A name with options, as a user writes it.
///
/// A family of players takes the options one by one; [`Spec::done`] finds those that are left.
///
/// ```
/// use ludex_search::spec::Spec;
///
/// let mut spec: Spec = "uct:c=0.7".parse()?;
/// assert_eq!(spec.name, "uct");
/// assert_eq!(spec.take("c", 1.4)?, 0.7);
/// assert_eq!(spec.take("threads", 1)?, 1);
/// spec.done()?;
/// # Ok::<(), ludex_search::spec::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The name before the colon.
    pub name: String,
    /// The options, each key once.
    options: Vec<SpecOption>,
    /// The keys that were asked for.
    known: Vec<&'static str>,
}

/// An option with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecOption {
    /// The word before the `=`.
    pub key: String,
    /// The text after it.
    pub value: String,
    /// Where it is in its text, in bytes.
    pub at: Range<usize>,
}

/// Why a player cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// The option that is wrong, in bytes of the text; nothing where it is the name.
    pub at: Option<Range<usize>>,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.help.iter().try_for_each(|help| write!(f, "; {help}"))
    }
}

impl std::error::Error for SpecError {}

impl SpecError {
    /// An error that says only what is wrong.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, at: None }
    }

    /// The same, with what to write instead.
    #[must_use]
    pub fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// A name that is none of `names`, with the nearest of them.
    pub(crate) fn unknown<'n>(
        what: &str,
        name: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> Self {
        let names: Vec<&str> = names.collect();
        let help = match nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names.join(", ")),
        };
        Self::new(format!("there is no {what} `{name}`")).with_help(help)
    }
}

impl SpecOption {
    /// The options of a list `a=1,b=2` that begins at byte `start` of its text.
    pub fn list(text: &str, start: usize) -> Result<Vec<Self>, SpecError> {
        let parts = text.split(',').scan(start, |at, part| {
            let begins = *at + part.len() - part.trim_start().len();
            *at += part.len() + 1;
            Some((begins, part.trim()))
        });
        parts.filter(|(_, part)| !part.is_empty()).map(|(at, part)| Self::read(part, at)).collect()
    }

    fn read(part: &str, at: usize) -> Result<Self, SpecError> {
        let at = at..at + part.len();
        match part.split_once('=') {
            Some((key, value)) => {
                Ok(Self { key: key.trim().to_owned(), value: value.trim().to_owned(), at })
            }
            None => {
                let error = SpecError::new(format!("`{part}` is not an option"));
                Err(SpecError { at: Some(at), ..error.with_help(format!("write `{part}=VALUE`")) })
            }
        }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let mut spec = Self::new(name.trim());
        SpecOption::list(options, name.len() + 1)?.into_iter().for_each(|it| spec.set(it));
        Ok(spec)
    }
}

impl Spec {
    /// A name without options.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), options: Vec::new(), known: Vec::new() }
    }

    /// Adds an option, in place of one with the same key.
    pub fn set(&mut self, option: SpecOption) {
        self.options.retain(|it| it.key != option.key);
        self.options.push(option);
    }

    /// The text of an option, if it was given.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.option(key).map(|it| it.value.as_str())
    }

    fn option(&self, key: &str) -> Option<&SpecOption> {
        self.options.iter().find(|it| it.key == key)
    }

    /// An error about an option.
    pub fn error(&self, key: &str, message: impl Into<String>) -> SpecError {
        SpecError { at: self.option(key).map(|it| it.at.clone()), ..SpecError::new(message) }
    }

    /// The value of an option, or `default` if it was not given.
    pub fn take<T: FromStr>(&mut self, key: &'static str, default: T) -> Result<T, SpecError> {
        Ok(self.take_given(key)?.unwrap_or(default))
    }

    /// The value of an option, if it was given.
    pub fn take_given<T: FromStr>(&mut self, key: &'static str) -> Result<Option<T>, SpecError> {
        self.known.push(key);
        let Some(value) = self.get(key) else { return Ok(None) };
        value.parse().map(Some).map_err(|_| {
            self.error(key, format!("`{value}` is no value for `{key}` of `{}`", self.name))
        })
    }

    /// The value of an option, or `default`; an error where it lies outside of `range`, as
    /// everything that is not a number does.
    pub fn take_within<T: FromStr + PartialOrd + fmt::Display>(
        &mut self,
        key: &'static str,
        default: T,
        range: RangeInclusive<T>,
    ) -> Result<T, SpecError> {
        let value = self.take(key, default)?;
        if range.contains(&value) {
            return Ok(value);
        }
        let (least, most) = range.into_inner();
        let name = &self.name;
        let message = format!("`{key}` of `{name}` is from {least} to {most}, not {value}");
        Err(self.error(key, message))
    }

    /// A yes or no, written `yes` and `no`.
    pub fn take_switch(&mut self, key: &'static str, default: bool) -> Result<bool, SpecError> {
        Ok(self.take_given_switch(key)?.unwrap_or(default))
    }

    /// A yes or no, if it was given.
    pub fn take_given_switch(&mut self, key: &'static str) -> Result<Option<bool>, SpecError> {
        match self.take_given::<String>(key)?.as_deref() {
            None => Ok(None),
            Some("yes" | "on" | "true" | "1") => Ok(Some(true)),
            Some("no" | "off" | "false" | "0") => Ok(Some(false)),
            Some(other) => Err(self.error(key, format!("`{key}` is `yes` or `no`, not `{other}`"))),
        }
    }

    /// Refuses options that nothing has taken.
    pub fn done(&self) -> Result<(), SpecError> {
        let unknown = |it: &&SpecOption| !self.known.contains(&it.key.as_str());
        let Some(SpecOption { key, .. }) = self.options.iter().find(unknown) else { return Ok(()) };
        let known = self.known.join("`, `");
        let help = match nearest(key, self.known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if self.known.is_empty() => "it has no options".to_owned(),
            None => format!("its options are `{known}`"),
        };
        let error = self.error(key, format!("`{}` has no option `{key}`", self.name));
        Err(error.with_help(help))
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (number, SpecOption { key, value, .. }) in self.options.iter().enumerate() {
            write!(f, "{}{key}={value}", if number == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_options_are_named_with_the_nearest() {
        let mut spec: Spec = "uct: c=1, thread=2".parse().unwrap();
        assert_eq!((spec.take("threads", 1), spec.take("c", 2)), (Ok(1), Ok(1)));
        let error = spec.done().unwrap_err();
        assert_eq!(
            (error.message.as_str(), error.help.as_deref(), error.at),
            ("`uct` has no option `thread`", Some("did you mean `threads`?"), Some(10..18))
        );
    }

    #[test]
    fn values_must_fit() {
        let mut spec: Spec = "uct:c=much".parse().unwrap();
        let error = spec.take("c", 1.0).unwrap_err();
        assert_eq!(error.message, "`much` is no value for `c` of `uct`");
        assert_eq!(error.at, Some(4..10));
        let error = "uct:c=1,d".parse::<Spec>().unwrap_err();
        assert_eq!(error.to_string(), "`d` is not an option; write `d=VALUE`");
        assert_eq!(error.at, Some(8..9));
        for (text, shown) in [("nan", "NaN"), ("-1", "-1"), ("inf", "inf")] {
            let mut spec: Spec = format!("uct:c={text}").parse().unwrap();
            assert_eq!(
                spec.take_within("c", 1.0, 0.0..=10.0).unwrap_err().message,
                format!("`c` of `uct` is from 0 to 10, not {shown}")
            );
        }
        let mut spec: Spec = "uct:reuse=perhaps".parse().unwrap();
        assert!(spec.take_switch("reuse", true).is_err());
    }

    #[test]
    fn the_last_value_of_an_option_counts() {
        let spec: Spec = "uct:c=1,seed=3,c=2".parse().unwrap();
        assert_eq!((spec.get("c"), spec.to_string().as_str()), (Some("2"), "uct:seed=3,c=2"));
    }
}
