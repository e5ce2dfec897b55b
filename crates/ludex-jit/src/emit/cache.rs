//! Parts of the state that the playout loop keeps in registers.
//!
//! The hashes, and the planes of a board of one word, are needed at every turn.
//! Written to memory and read back they would make each turn wait for the last
//! one. So the loop keeps them in variables; before any code that works on memory
//! they are put there ([`Emitter::flush`]) and afterwards fetched again
//! ([`Emitter::fetch`]).

use cranelift_codegen::ir::Value;
use cranelift_frontend::Variable;

use super::Emitter;

/// Words of the state's block in variables: the byte of each and its variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Cache {
    words: Vec<(i32, Variable)>,
}

impl Emitter<'_, '_> {
    /// From here on the words that pay are kept in variables.
    pub(super) fn keep_in_registers(&mut self) {
        let layout = &self.unit.layout;
        let mut bytes = vec![layout.hash_byte() as i32];
        if self.has_history() {
            bytes.push(layout.key_byte() as i32);
        }
        if layout.set_words == 1 && layout.codes.is_none() {
            bytes.extend((0..layout.planes).map(|plane| layout.plane_byte(plane) as i32));
        }
        let words = bytes.into_iter().map(|byte| (byte, self.new_var())).collect();
        self.cache = Cache { words };
        self.fetch();
    }

    /// A word of the block at a fixed place.
    pub(super) fn state_word(&mut self, byte: i32) -> Value {
        match self.cached(byte) {
            Some(var) => self.b.use_var(var),
            None => self.load(self.state, byte),
        }
    }

    /// Sets a word of the block at a fixed place.
    pub(super) fn set_state_word(&mut self, value: Value, byte: i32) {
        match self.cached(byte) {
            Some(var) => self.b.def_var(var, value),
            None => self.store(value, self.state, byte),
        }
    }

    fn cached(&self, byte: i32) -> Option<Variable> {
        self.cache.words.iter().find(|(it, _)| *it == byte).map(|&(_, var)| var)
    }

    /// Puts what is in variables into memory.
    pub(super) fn flush(&mut self) {
        for (byte, var) in self.cache.words.clone() {
            let value = self.b.use_var(var);
            self.store(value, self.state, byte);
        }
    }

    /// Fetches it from there.
    pub(super) fn fetch(&mut self) {
        for (byte, var) in self.cache.words.clone() {
            let value = self.load(self.state, byte);
            self.b.def_var(var, value);
        }
    }
}
