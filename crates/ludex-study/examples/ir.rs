//! Prints the program of a rules file.
#![allow(clippy::print_stdout)]
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let opts = std::env::args().nth(2).unwrap_or_default();
    let compiled = ludex_rules::compile(&std::fs::read_to_string(path).unwrap(), &opts);
    match compiled.program { Some(p) => println!("{p}"), None => println!("{:?}", compiled.diagnostics) }
}
