//! Trees as short text, without places, so that tests can show and compare them.
//!
//! The text is made from the `Debug` form, so that it knows nothing of the
//! tree and cannot forget a part of it. Fields that say nothing (`None`, `[]`,
//! `false`) are left out; `(Binary Add a 1)` is short for the nodes it names.

use std::fmt::Debug;

/// A value read back from its `Debug` form.
enum Value {
    /// A number, a text, or a name without anything.
    Atom(String),
    /// `[..]`, `(..)` or a variant with values: the name may be empty.
    Node(String, Vec<(String, Value)>),
    List(Vec<Value>),
    /// A place, or a field that says nothing.
    Nothing,
}

/// A tree as short text, on lines of at most 100 characters where that can be.
pub(crate) fn show(tree: &impl Debug) -> String {
    let text = format!("{tree:?}");
    let mut reader = Reader { rest: &text };
    print(&reader.value(), 0)
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn skip(&mut self, wanted: &[char]) {
        self.rest = self.rest.trim_start_matches(wanted);
    }

    fn take(&mut self, length: usize) -> String {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken.to_owned()
    }

    fn value(&mut self) -> Value {
        self.skip(&[' ', ',']);
        if self.rest.starts_with('"') {
            return self.text();
        }
        if self.rest.starts_with('[') {
            return Value::List(self.until(']').into_iter().map(|(_, value)| value).collect());
        }
        let length =
            self.rest.find([' ', ',', '(', ')', '{', '}', '[', ']']).unwrap_or(self.rest.len());
        let name = self.take(length);
        if self.rest.starts_with('(') {
            let fields = self.until(')');
            return simplify(name, fields);
        }
        if self.rest.starts_with(" {") {
            self.skip(&[' ']);
            let fields = self.until('}');
            return simplify(name, fields);
        }
        if name == "None" || name == "false" { Value::Nothing } else { Value::Atom(name) }
    }

    fn text(&mut self) -> Value {
        let bytes = self.rest.as_bytes();
        let mut at = 1;
        while bytes[at] != b'"' {
            at += if bytes[at] == b'\\' { 2 } else { 1 };
        }
        Value::Atom(self.take(at + 1))
    }

    fn until(&mut self, close: char) -> Vec<(String, Value)> {
        self.take(1);
        let mut fields = Vec::new();
        loop {
            self.skip(&[' ', ',']);
            if self.rest.starts_with(close) {
                self.take(1);
                return fields;
            }
            let length = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(0);
            let name = if length > 0 && self.rest[length..].starts_with(": ") {
                self.take(length)
            } else {
                String::new()
            };
            self.skip(&[':']);
            fields.push((name, self.value()));
        }
    }
}

/// What is left out around a single part.
const WRAPPERS: &[&str] = &[
    "",
    "Expr",
    "Fact",
    "Int",
    "Item",
    "Man",
    "Name",
    "Real",
    "Some",
    "StartLine",
    "Stmt",
    "Text",
];

fn simplify(name: String, fields: Vec<(String, Value)>) -> Value {
    let mut fields: Vec<(String, Value)> =
        fields.into_iter().filter(|(_, value)| !matches!(value, Value::Nothing)).collect();
    let wrapper = fields.len() == 1 && WRAPPERS.contains(&name.as_str());
    match name.as_str() {
        "Span" => Value::Nothing,
        _ if wrapper => match (name.as_str(), fields.remove(0).1) {
            ("Name", Value::Atom(text)) => Value::Atom(text.trim_matches('"').to_owned()),
            (_, value) => value,
        },
        _ => Value::Node(name, fields),
    }
}

fn print(value: &Value, indent: usize) -> String {
    let line = flat(value);
    if line.len() + indent < 100 {
        return line;
    }
    let inner = format!("\n{}", " ".repeat(indent + 2));
    let mut rest = String::new();
    for (name, it) in fields(value) {
        rest.push_str(&format!("{inner}{}{}", label(name), print(it, indent + 2)));
    }
    match value {
        Value::Atom(_) | Value::Nothing => line,
        Value::List(_) => format!("[{rest}]"),
        Value::Node(name, _) => format!("({name}{rest})"),
    }
}

fn flat(value: &Value) -> String {
    let parts = fields(value).into_iter().map(|(name, it)| format!("{}{}", label(name), flat(it)));
    match value {
        Value::Atom(text) => text.clone(),
        Value::Nothing => "-".to_owned(),
        Value::List(_) => format!("[{}]", parts.collect::<Vec<_>>().join(" ")),
        Value::Node(name, _) => {
            let name = Some(name.clone()).filter(|it| !it.is_empty());
            format!("({})", name.into_iter().chain(parts).collect::<Vec<_>>().join(" "))
        }
    }
}

fn label(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!("{name}=") }
}

/// The parts of a value that say something.
fn fields(value: &Value) -> Vec<(&str, &Value)> {
    match value {
        Value::Atom(_) | Value::Nothing => Vec::new(),
        Value::List(values) => values.iter().map(|it| ("", it)).collect(),
        Value::Node(_, fields) => fields
            .iter()
            .map(|(name, it)| (name.as_str(), it))
            .filter(|(name, it)| {
                name.is_empty() || !matches!(it, Value::List(list) if list.is_empty())
            })
            .collect(),
    }
}
