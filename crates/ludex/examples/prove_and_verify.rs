//! Proves the value of a position, and verifies the certificate by the rules alone.
#![allow(clippy::print_stdout, reason = "an example is a program")]

use ludex::core::Limits;
use ludex::solve::{Certificate, SolveRequest, VerifyRequest, solve, verify};
use ludex::{EngineKind, LoadedGame};

pub(crate) fn main() -> ludex::Result<()> {
    let game = ludex::load("hex:4")?;
    let position = game.reach(None, "")?;
    let request = SolveRequest { certificate: true, ..SolveRequest::new(position) };
    let limits = Limits::of_nodes(100_000);
    let solved = solve(&game, &request, limits, &mut |_| {})?;
    print!("{}", solved.solution);
    assert_eq!(solved.solution.value, "win");
    let Certificate::Written(text) = solved.certificate else { panic!("the value is proved") };

    // The interpreter shares no code with the search that found the proof.
    let game = LoadedGame::load("hex:4", EngineKind::Interpreter)?;
    let request = VerifyRequest {
        text: &text,
        name: "hex4",
        position: None,
        has_goal: false,
        memory: 64 << 20,
    };
    let verification = verify(&game, &request, limits, &mut |_| {})?;
    print!("{verification}");
    assert!(verification.verified && verification.value == "win");
    Ok(())
}
