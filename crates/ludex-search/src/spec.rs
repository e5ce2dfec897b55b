//! Players by name, with options: `uct:c=0.7,threads=2`.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use ludex_core::text::nearest;

/// A player as somebody wrote it, taken apart.
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
    /// The options that nobody has taken yet, with their values.
    options: Vec<(String, String)>,
    /// The options that somebody asked for.
    known: Vec<&'static str>,
}

/// Why a player cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// What is wrong, and what would be right.
    pub message: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SpecError {}

impl SpecError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let mut options = Vec::new();
        for part in rest.split(',').map(str::trim).filter(|it| !it.is_empty()) {
            let Some((key, value)) = part.split_once('=') else {
                let message = format!("`{part}` is not an option: write `{part}=VALUE`");
                return Err(SpecError::new(message));
            };
            options.push((key.trim().to_owned(), value.trim().to_owned()));
        }
        Ok(Self { name: name.trim().to_owned(), options, known: Vec::new() })
    }
}

impl Spec {
    /// The value of an option, or `default` if it was not given.
    pub fn take<T: FromStr>(&mut self, key: &'static str, default: T) -> Result<T, SpecError> {
        Ok(self.take_given(key)?.unwrap_or(default))
    }

    /// The value of an option, if it was given.
    pub fn take_given<T: FromStr>(&mut self, key: &'static str) -> Result<Option<T>, SpecError> {
        self.known.push(key);
        let Some(at) = self.options.iter().position(|(it, _)| it == key) else { return Ok(None) };
        let (_, value) = self.options.remove(at);
        let parsed = value.parse().map_err(|_| {
            SpecError::new(format!("`{value}` is no value for `{key}` of `{}`", self.name))
        })?;
        Ok(Some(parsed))
    }

    /// The value of an option, or `default`; an error where it lies outside of `range`. What is
    /// not a number lies outside of all.
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
        Err(SpecError::new(message))
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
            Some(other) => Err(SpecError::new(format!("`{key}` is `yes` or `no`, not `{other}`"))),
        }
    }

    /// Says so if an option is left that nobody has taken.
    pub fn done(&self) -> Result<(), SpecError> {
        let Some((key, _)) = self.options.first() else { return Ok(()) };
        let known = self.known.join("`, `");
        let hint = match nearest(key, self.known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if self.known.is_empty() => "it has no options".to_owned(),
            None => format!("its options are `{known}`"),
        };
        Err(SpecError::new(format!("`{}` has no option `{key}`; {hint}", self.name)))
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (number, (key, value)) in self.options.iter().enumerate() {
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
        let mut spec: Spec = "uct:thread=2".parse().unwrap();
        assert_eq!(spec.take("threads", 1), Ok(1));
        assert_eq!(
            spec.done().unwrap_err().message,
            "`uct` has no option `thread`; did you mean `threads`?"
        );
    }

    #[test]
    fn values_must_fit() {
        let mut spec: Spec = "uct:c=much".parse().unwrap();
        assert_eq!(spec.take("c", 1.0).unwrap_err().message, "`much` is no value for `c` of `uct`");
        assert!("uct:c".parse::<Spec>().is_err());
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
}
