//! The fenced blocks of a page of the book, for tests that run what is in them.

/// A fenced block.
#[derive(Clone, Debug)]
pub struct Block {
    /// What follows the fence.
    pub info: String,
    /// What stands inside.
    pub text: String,
    /// The line of the fence, from 1.
    pub line: usize,
}

/// The blocks of a page.
///
/// # Panics
///
/// Panics if the last block is never closed.
#[must_use]
pub fn blocks(markdown: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (index, line) in markdown.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                let info = info.trim().to_owned();
                open = Some(Block { info, text: String::new(), line: index + 1 });
            }
            (Some(_), Some("")) => blocks.extend(open.take()),
            (Some(block), _) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "the last block is never closed");
    blocks
}

/// The page with other texts in the blocks at these lines.
#[must_use]
pub fn updated(markdown: &str, updates: &[(usize, String)]) -> String {
    let mut out = String::new();
    let mut skipping = false;
    for (index, line) in markdown.lines().enumerate() {
        skipping &= !line.starts_with("```");
        if !skipping {
            out.push_str(line);
            out.push('\n');
        }
        if let Some((_, text)) = updates.iter().find(|(at, _)| *at == index + 1) {
            out.push_str(text);
            skipping = true;
        }
    }
    out
}
