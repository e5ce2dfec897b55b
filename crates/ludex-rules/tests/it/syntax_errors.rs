//! What authors see. Run with `UPDATE_EXPECT=1` to rewrite, then read the diff.

use expect_test::{Expect, expect};
use ludex_diagnostics::{SourceText, render};
use ludex_rules::codes::CODES;
use ludex_rules::parse::parse;

#[track_caller]
fn check(source: &str, expect: Expect) {
    let (_, diagnostics) = parse(source);
    for it in &diagnostics {
        assert!(
            CODES.iter().any(|(code, _)| *code == it.code),
            "{} is not in the table of codes",
            it.code
        );
        assert!(
            !it.label.is_empty() && it.help.is_some(),
            "a diagnostic without label or help is a draft: {it:?}"
        );
    }
    expect.assert_eq(&render(&diagnostics, SourceText::new("test.game", source)));
}

#[test]
fn a_tab() {
    check(
        "game \"G\"\nmoves\n\tmove a to b\n\tmove b to c\n",
        expect![[r#"
            error[tab]: this line is indented with a tab
             --> test.game:3:1
              |
            3 |     move a to b
              | ^^^^ a tab
              |
              = help: indent with spaces, two for each level
        "#]],
    );
}

#[test]
fn between_two_levels() {
    check(
        r#"game "G"
moves
    if a.empty
        move a to b
      move b to c
"#,
        expect![[r#"
            error[bad-indentation]: this line is between two levels of indentation
             --> test.game:5:1
              |
            5 |       move b to c
              | ^^^^^^ 6 spaces
              |
              = help: use 4 or 8 spaces, as the lines above do
        "#]],
    );
}

#[test]
fn indented_for_no_reason() {
    check(
        r#"game "G"
moves
  let x = 1
    let y = 2
  let z = 3
"#,
        expect![[r#"
            error[unexpected-indentation]: this line is indented more than the line above it
             --> test.game:4:1
              |
            4 |     let y = 2
              | ^^^^ too many spaces
              |
              = help: give it as many spaces as the line above; only the block of a header is indented
        "#]],
    );
}

#[test]
fn indented_declaration() {
    check(
        r#"game "G"
  men pawn
  players White
"#,
        expect![[r#"
            error[unexpected-indentation]: this line is indented more than the line above it
             --> test.game:2:1
              |
            2 |   men pawn
              | ^^ too many spaces
              |
              = help: give it as many spaces as the line above; only the block of a header is indented
        "#]],
    );
}

#[test]
fn text_without_end() {
    check(
        r#"game "Chess
men pawn
"#,
        expect![[r#"
            error[unterminated-text]: this text has no end
             --> test.game:1:6
              |
            1 | game "Chess
              |      ^^^^^^ starts here and runs to the end of the line
              |
              = help: close it with `"`; a text cannot go on in the next line
        "#]],
    );
}

#[test]
fn curly_quotes() {
    check(
        r#"game “Chess”
"#,
        expect![[r#"
            error[unknown-character]: the character `“` is not used in rules
             --> test.game:1:6
              |
            1 | game “Chess”
              |      ^ not expected here
              |
              = help: a text stands in straight double quotes: `"like this"`
        "#]],
    );
}

#[test]
fn foreign_letters() {
    check(
        r#"game "G"
men König, dame
"#,
        expect![[r#"
            error[unknown-character]: `König` is not a name
             --> test.game:2:5
              |
            2 | men König, dame
              |     ^^^^^ names are made of the letters a to z, digits and `_`, and start with a letter
              |
              = help: spell it with these; a text in double quotes may have any characters
        "#]],
    );
}

#[test]
fn signs_from_mathematics() {
    check(
        r#"game "G"
moves
  if a ≤ b: pass
"#,
        expect![[r#"
            error[unknown-character]: the character `≤` is not used in rules
             --> test.game:3:8
              |
            3 |   if a ≤ b: pass
              |        ^ not expected here
              |
              = help: write `<=`
        "#]],
    );
}

#[test]
fn invisible_space() {
    check(
        "game \"G\"\nmoves\n  let x\u{a0}= 1\n",
        expect![[r#"
            error[unknown-character]: the character U+00A0 is not used in rules
             --> test.game:3:8
              |
            3 |   let x = 1
              |        ^ not expected here
              |
              = help: this space looks like any other but is not: type a plain one
        "#]],
    );
}

#[test]
fn size_with_x() {
    check(
        r#"game "G"
board square 8x8
"#,
        expect![[r#"
            error[bad-number]: `8x8` is neither a number nor a name
             --> test.game:2:14
              |
            2 | board square 8x8
              |              ^^^ letters after digits
              |
              = help: for a size, write `8 by 8`; for a product, `8 * 8`
        "#]],
    );
}

#[test]
fn slash_comment() {
    check(
        r#"game "G"
moves
  pass // nothing
"#,
        expect![[r#"
            error[foreign-word]: `//` does not start a comment
             --> test.game:3:8
              |
            3 |   pass // nothing
              |        ^^ not of this language
              |
              = help: start the comment with `#`
        "#]],
    );
}

#[test]
fn unclosed_bracket() {
    check(
        r#"game "G"
moves
  if (a is empty
    move a to b
  for c in mine: pass
"#,
        expect![[r#"
            error[unclosed-bracket]: this `(` is never closed
             --> test.game:3:6
              |
            3 |   if (a is empty
              |      ^ opened here
              |
              = help: add the missing `)`
        "#]],
    );
}

#[test]
fn unclosed_list_over_declarations() {
    check(
        r#"game "G"
const leaps = [(1,2), (2,1)
men pawn
moves
  move a to b,
"#,
        expect![[r#"
            error[unclosed-bracket]: this `[` is never closed
             --> test.game:2:15
              |
            2 | const leaps = [(1,2), (2,1)
              |               ^ opened here
              |
              = help: add the missing `]`

            error[unexpected-token]: expected another action after `,`, found the end of the line
             --> test.game:5:15
              |
            5 |   move a to b,
              |               ^ expected another action after `,`
              |
              = help: take the comma away, or go on: `move a to b, take c`
        "#]],
    );
}

#[test]
fn wrong_bracket() {
    check(
        r#"game "G"
moves
  let s = {a1, b2]
"#,
        expect![[r#"
            error[unexpected-token]: expected `}` or `,` in this set, found `]`
             --> test.game:3:18
              |
            3 |   let s = {a1, b2]
              |                  ^ expected `}` or `,` in this set
              |
              = help: what is opened with one kind of bracket is closed with the same kind: write `}`
        "#]],
    );
}

#[test]
fn stray_bracket() {
    check(
        r#"game "G"
moves
  let s = a1)
"#,
        expect![[r#"
            error[unexpected-token]: this `)` closes nothing
             --> test.game:3:13
              |
            3 |   let s = a1)
              |             ^ no bracket is open here
              |
              = help: take it away, or open the bracket before it
        "#]],
    );
}

#[test]
fn square_roots() {
    check(
        r#"game "G"
moves
  let s = a ^ 2
"#,
        expect![[r#"
            error[unknown-character]: the character `^` is not used in rules
             --> test.game:3:13
              |
            3 |   let s = a ^ 2
              |             ^ not expected here
              |
              = help: `^` is no operator here: write a product for a power, `!=` for a difference
        "#]],
    );
}

#[test]
fn no_header() {
    check(
        r#"men pawn
"#,
        expect![[r#"
            error[missing-header]: the file does not say what it is
             --> test.game:1:1
              |
            1 | men pawn
              | ^^^ expected `game` here
              |
              = help: start the file with a line such as `game "Chess"`, or `player "Anna" for chess`
        "#]],
    );
}

#[test]
fn empty_file() {
    check(
        r#""#,
        expect![[r#"
            error[missing-header]: the file does not say what it is
             --> test.game:1:1
              |
            1 |
              | ^ expected `game` here
              |
              = help: start the file with a line such as `game "Chess"`, or `player "Anna" for chess`
        "#]],
    );
}

#[test]
fn only_a_comment() {
    check(
        r#"# Chess
"#,
        expect![[r#"
            error[missing-header]: the file does not say what it is
             --> test.game:2:1
              |
            2 |
              | ^ expected `game` here
              |
              = help: start the file with a line such as `game "Chess"`, or `player "Anna" for chess`
        "#]],
    );
}

#[test]
fn header_twice() {
    check(
        r#"game "G"
game "H"
"#,
        expect![[r#"
            error[header-not-first]: this line comes first in its file, and only once
             --> test.game:2:1
              |
            2 | game "H"
              | ^^^^^^^^ the file has such a line already
              |
              = help: take one of the two away
        "#]],
    );
}

#[test]
fn header_without_quotes() {
    check(
        r#"game Chess
men pawn
"#,
        expect![[r#"
            error[unexpected-token]: expected the title in double quotes, found `Chess`
             --> test.game:1:6
              |
            1 | game Chess
              |      ^^^^^ expected the title in double quotes
              |
              = help: write it like this: `game "Chess"`
        "#]],
    );
}

#[test]
fn player_without_game() {
    check(
        r#"player "Anna"
"#,
        expect![[r#"
            error[unexpected-token]: expected `for` and the name of a game, found the end of the line
             --> test.game:1:14
              |
            1 | player "Anna"
              |              ^ expected `for` and the name of a game
              |
              = help: write it like this: `player "Anna" for chess`
        "#]],
    );
}

#[test]
fn misspelt_declaration() {
    check(
        r#"game "G"
mooves
  move a to b
"#,
        expect![[r#"
            error[unknown-declaration]: `mooves` declares nothing
             --> test.game:2:1
              |
            2 | mooves
              | ^^^^^^ not a declaration
              |
              = help: did you mean `moves`?
        "#]],
    );
}

#[test]
fn other_words_for_declarations() {
    check(
        r#"game "G"
pieces pawn
setup
  White pawn on a1
"#,
        expect![[r#"
            error[unknown-declaration]: `pieces` declares nothing
             --> test.game:2:1
              |
            2 | pieces pawn
              | ^^^^^^ not a declaration
              |
              = help: did you mean `men`?

            error[unknown-declaration]: `setup` declares nothing
             --> test.game:3:1
              |
            3 | setup
              | ^^^^^ not a declaration
              |
              = help: did you mean `start`?
        "#]],
    );
}

#[test]
fn statement_outside() {
    check(
        r#"game "G"
for a in mine: move a to b
"#,
        expect![[r#"
            error[unknown-declaration]: `for` declares nothing
             --> test.game:2:1
              |
            2 | for a in mine: move a to b
              | ^^^ a statement, outside of any block
              |
              = help: indent it into the block it belongs to, such as `moves` or `result`
        "#]],
    );
}

#[test]
fn number_outside() {
    check(
        r#"game "G"
12 men
"#,
        expect![[r#"
            error[unexpected-token]: expected a declaration, found `12`
             --> test.game:2:1
              |
            2 | 12 men
              | ^^ expected a declaration
              |
              = help: a line that is not indented starts with a word such as `men`, `cell` or `moves`
        "#]],
    );
}

#[test]
fn option_without_value() {
    check(
        r#"game "G"
option n in 4..20
"#,
        expect![[r#"
            error[unexpected-token]: expected `=` and the usual value after the option, found `in`
             --> test.game:2:10
              |
            2 | option n in 4..20
              |          ^^ expected `=` and the usual value after the option
              |
              = help: write it like this: `option n = 8 in 4..20`
        "#]],
    );
}

#[test]
fn board_without_shape() {
    check(
        r#"game "G"
board 8 by 8
"#,
        expect![[r#"
            error[unexpected-token]: expected `square`, `hex` or `graph` after `board`, found `8`
             --> test.game:2:7
              |
            2 | board 8 by 8
              |       ^ expected `square`, `hex` or `graph` after `board`
              |
              = help: write for example `board square 8 by 8`
        "#]],
    );
}

#[test]
fn board_without_by() {
    check(
        r#"game "G"
board square 8, 8
"#,
        expect![[r#"
            error[unexpected-token]: expected `by` between columns and rows, found `,`
             --> test.game:2:15
              |
            2 | board square 8, 8
              |               ^ expected `by` between columns and rows
              |
              = help: write it like this: `board square 8 by 8`
        "#]],
    );
}

#[test]
fn list_over_two_lines() {
    check(
        r#"game "G"
men pawn "P" "p",
  king
"#,
        expect![[r#"
            error[unexpected-token]: expected the name of a kind of men, found the end of the line
             --> test.game:2:18
              |
            2 | men pawn "P" "p",
              |                  ^ expected the name of a kind of men
              |
              = help: a list stays on one line, unless it is inside brackets
        "#]],
    );
}

#[test]
fn reserved_name() {
    check(
        r#"game "G"
men my, to
"#,
        expect![[r#"
            error[reserved-word]: `my` is a word of the language
             --> test.game:2:5
              |
            2 | men my, to
              |     ^^ expected the name of a kind of men
              |
              = help: choose another name, such as `my_`
        "#]],
    );
}

#[test]
fn cell_of_type_int() {
    check(
        r#"game "G"
cell n: int
"#,
        expect![[r#"
            error[unknown-type]: a cell cannot be of type `int`
             --> test.game:2:9
              |
            2 | cell n: int
              |         ^^^ expected `bool`, `square`, `player`, `kind`, `set` or a range such as `0..9`
              |
              = help: a number says its range: `0..9`
        "#]],
    );
}

#[test]
fn cell_of_type_squares() {
    check(
        r#"game "G"
cell n: sqare = none
"#,
        expect![[r#"
            error[unknown-type]: a cell cannot be of type `sqare`
             --> test.game:2:9
              |
            2 | cell n: sqare = none
              |         ^^^^^ expected `bool`, `square`, `player`, `kind`, `set` or a range such as `0..9`
              |
              = help: did you mean `square`?
        "#]],
    );
}

#[test]
fn cell_without_type() {
    check(
        r#"game "G"
cell n = 3
"#,
        expect![[r#"
            error[unexpected-token]: expected `:` and a type after the cell, found `=`
             --> test.game:2:8
              |
            2 | cell n = 3
              |        ^ expected `:` and a type after the cell
              |
              = help: write it like this: `cell castle[player]: bool = yes`
        "#]],
    );
}

#[test]
fn cell_of_one_number() {
    check(
        r#"game "G"
cell n: 3
"#,
        expect![[r#"
            error[unknown-type]: a cell cannot be of type `3`
             --> test.game:2:9
              |
            2 | cell n: 3
              |         ^ expected `bool`, `square`, `player`, `kind`, `set` or a range such as `0..9`
              |
              = help: a number has a range: `3..9`
        "#]],
    );
}

#[test]
fn history_of_what() {
    check(
        r#"game "G"
history
"#,
        expect![[r#"
            error[unexpected-token]: expected `position` or `board` after `history`, found the end of the line
             --> test.game:2:8
              |
            2 | history
              |        ^ expected `position` or `board` after `history`
              |
              = help: `history board` compares the squares only, `history position` also who is to move
        "#]],
    );
}

#[test]
fn function_without_type() {
    check(
        r#"game "G"
function f(a: square)
  return 1
"#,
        expect![[r#"
            error[missing-type]: this function does not say what it gives
             --> test.game:2:22
              |
            2 | function f(a: square)
              |                      ^ expected `:` and a type
              |
              = help: write the type of the value it returns: `function f(a: square): int`
        "#]],
    );
}

#[test]
fn function_with_unknown_type() {
    check(
        r#"game "G"
function f(a: piece): integer
  return 1
"#,
        expect![[r#"
            error[unknown-type]: there is no type `piece`
             --> test.game:2:15
              |
            2 | function f(a: piece): integer
              |               ^^^^^ expected one of bool, direction, directions, int, kind, path, player, real, set, square
              |
              = help: did you mean `kind`?
        "#]],
    );
}

#[test]
fn procedure_with_type() {
    check(
        r#"game "G"
procedure f(a: square): bool
  pass
"#,
        expect![[r#"
            error[unexpected-type]: `procedure` gives no value
             --> test.game:2:25
              |
            2 | procedure f(a: square): bool
              |                         ^^^^ a type
              |
              = help: take the type away, or write `function`
        "#]],
    );
}

#[test]
fn parameter_without_type() {
    check(
        r#"game "G"
procedure f(a, b: square)
  pass
"#,
        expect![[r#"
            error[unexpected-token]: expected `:` and a type after the parameter, found `,`
             --> test.game:2:14
              |
            2 | procedure f(a, b: square)
              |              ^ expected `:` and a type after the parameter
              |
              = help: write it like this: `procedure slide(a: square, ds: directions)`
        "#]],
    );
}

#[test]
fn routine_without_brackets() {
    check(
        r#"game "G"
action promote
  pass
"#,
        expect![[r#"
            error[unexpected-token]: expected `(` after the name, found the end of the line
             --> test.game:2:15
              |
            2 | action promote
              |               ^ expected `(` after the name
              |
              = help: parameters stand in brackets, `()` if there are none: `action flip()`, `action flip(a: square)`
        "#]],
    );
}

#[test]
fn map_with_equals() {
    check(
        r#"game "G"
map value: pawn = 1
"#,
        expect![[r#"
            error[unexpected-token]: expected `->` and a value after the kind, found `=`
             --> test.game:2:17
              |
            2 | map value: pawn = 1
              |                 ^ expected `->` and a value after the kind
              |
              = help: write it like this: `map value: pawn -> 1, queen -> 9`
        "#]],
    );
}

#[test]
fn start_without_on() {
    check(
        r#"game "G"
start
  White pawn rank(2)
  White king e1
"#,
        expect![[r#"
            error[unexpected-token]: expected `on` after the man, found `rank`
             --> test.game:3:14
              |
            3 |   White pawn rank(2)
              |              ^^^^ expected `on` after the man
              |
              = help: a line of `start` says where men stand: `White pawn on rank(2)`, or is `rows`, `set`, `scatter`, `turn` or `if`

            error[unexpected-token]: expected `on` after the man, found `e1`
             --> test.game:4:14
              |
            4 |   White king e1
              |              ^^ expected `on` after the man
              |
              = help: a line of `start` says where men stand: `White pawn on rank(2)`, or is `rows`, `set`, `scatter`, `turn` or `if`
        "#]],
    );
}

#[test]
fn graph_lines() {
    check(
        r#"game "G"
board graph
  point a1 (0,0)
  lines a1 2
"#,
        expect![[r#"
            error[unexpected-token]: expected `points` or `lines`, found `point`
             --> test.game:3:3
              |
            3 |   point a1 (0,0)
              |   ^^^^^ expected `points` or `lines`
              |
              = help: the block of `board graph` has lines such as `points a1 (0,0), b1 (1,0)` and `lines a1 b1`

            error[unexpected-token]: `2` cannot stand here
             --> test.game:4:12
              |
            4 |   lines a1 2
              |            ^ expected the end of the line
              |
              = help: an operator, a comma or a bracket may be missing before this; write it like this: `lines a1 b1 c1; a2 b2`
        "#]],
    );
}

#[test]
fn score_outside() {
    check(
        r#"game "G"
score 3
"#,
        expect![[r#"
            error[unexpected-token]: expected `up to` after `score`, found `3`
             --> test.game:2:7
              |
            2 | score 3
              |       ^ expected `up to` after `score`
              |
              = help: outside of blocks, `score up to 100` says which score counts as 1; `score` as a statement belongs in `result`
        "#]],
    );
}

#[test]
fn expect_something() {
    check(
        r#"game "G"
expect
  perft: 20
  nodes 20
  after "e2e4" draw
  solved maybe
  after "e4": white
"#,
        expect![[r#"
            error[unexpected-token]: expected a number of positions, found `:`
             --> test.game:3:8
              |
            3 |   perft: 20
              |        ^ expected a number of positions
              |
              = help: write it like this: `perft 20, 400, 8902`

            error[unexpected-token]: expected `perft`, `after` or `solved`, found `nodes`
             --> test.game:4:3
              |
            4 |   nodes 20
              |   ^^^^^ expected `perft`, `after` or `solved`
              |
              = help: facts look like `perft 20, 400`, `after "e2e4": goes on` or `solved draw`

            error[unexpected-token]: expected `:` and an outcome after the moves, found `draw`
             --> test.game:5:16
              |
            5 |   after "e2e4" draw
              |                ^^^^ expected `:` and an outcome after the moves
              |
              = help: write it like this: `after "e2e4 e7e5": goes on`

            error[unexpected-token]: expected `win`, `loss` or `draw`, found `maybe`
             --> test.game:6:10
              |
            6 |   solved maybe
              |          ^^^^^ expected `win`, `loss` or `draw`
              |
              = help: write it like this: `solved draw`

            error[unexpected-token]: expected `goes on`, `draw` or a player who `wins`, found `white`
             --> test.game:7:15
              |
            7 |   after "e4": white
              |               ^^^^^ expected `goes on`, `draw` or a player who `wins`
              |
              = help: write for example `after "e2e4": goes on`
        "#]],
    );
}

#[test]
fn number_too_large() {
    check(
        r#"game "G"
score up to 99999999999999999999
"#,
        expect![[r#"
            error[number-too-large]: this number is too large
             --> test.game:2:13
              |
            2 | score up to 99999999999999999999
              |             ^^^^^^^^^^^^^^^^^^^^ does not fit in 64 bits
              |
              = help: is a space or a point missing in it?
        "#]],
    );
}

#[test]
fn equals_in_a_condition() {
    check(
        r#"game "G"
moves
  if a = b: pass
  while x = 3
    x += 1
"#,
        expect![[r#"
            error[assign-in-condition]: `=` gives a value, it does not compare
             --> test.game:3:8
              |
            3 |   if a = b: pass
              |        ^ this would change a variable
              |
              = help: compare with `==`

            error[assign-in-condition]: `=` gives a value, it does not compare
             --> test.game:4:11
              |
            4 |   while x = 3
              |           ^ this would change a variable
              |
              = help: compare with `==`
        "#]],
    );
}

#[test]
fn equals_in_brackets() {
    check(
        r#"game "G"
moves
  if (a = b) and c: pass
"#,
        expect![[r#"
            error[assign-in-condition]: `=` gives a value, it does not compare
             --> test.game:3:9
              |
            3 |   if (a = b) and c: pass
              |         ^ this would change a variable
              |
              = help: compare with `==`
        "#]],
    );
}

#[test]
fn missing_colon() {
    check(
        r#"game "G"
moves
  if a is empty move a to b
"#,
        expect![[r#"
            error[missing-colon]: a colon is missing before `move`
             --> test.game:3:17
              |
            3 |   if a is empty move a to b
              |                 ^^^^ expected `:` before this
              |
              = help: write `:` before a statement on the same line as its header
        "#]],
    );
}

#[test]
fn missing_colon_before_call() {
    check(
        r#"game "G"
moves
  if a.empty slide(a)
"#,
        expect![[r#"
            error[missing-colon]: a colon is missing before `slide(a)`
             --> test.game:3:14
              |
            3 |   if a.empty slide(a)
              |              ^^^^^^^^ expected `:` before this
              |
              = help: write `:` before a statement on the same line as its header
        "#]],
    );
}

#[test]
fn colon_before_a_block() {
    check(
        r#"game "G"
moves
  if a is empty:
    move a to b
"#,
        expect![[r#"
            error[colon-before-block]: no colon stands before a block on its own lines
             --> test.game:3:16
              |
            3 |   if a is empty:
              |                ^ take this away
              |
              = help: the colon is for statements on the same line: `if a is empty: move a to b`
        "#]],
    );
}

#[test]
fn missing_block() {
    check(
        r#"game "G"
moves
  if a is empty
  move a to b
"#,
        expect![[r#"
            error[missing-block]: nothing belongs to this `if`
             --> test.game:3:16
              |
            3 |   if a is empty
              |                ^ expected indented lines below, or `:` and a statement
              |
              = help: indent the lines that belong to it by two more spaces
        "#]],
    );
}

#[test]
fn missing_block_at_the_end() {
    check(
        r#"game "G"
moves
  for a in mine
"#,
        expect![[r#"
            error[missing-block]: nothing belongs to this `for`
             --> test.game:3:16
              |
            3 |   for a in mine
              |                ^ expected indented lines below, or `:` and a statement
              |
              = help: indent the lines that belong to it by two more spaces
        "#]],
    );
}

#[test]
fn moves_without_lines() {
    check(
        r#"game "G"
moves
result
"#,
        expect![[r#"
            error[missing-block]: nothing belongs to this `moves`
             --> test.game:2:6
              |
            2 | moves
              |      ^ expected indented lines below, or `:` and a statement
              |
              = help: indent the lines that belong to it by two more spaces

            error[missing-block]: nothing belongs to this `result`
             --> test.game:3:7
              |
            3 | result
              |       ^ expected indented lines below, or `:` and a statement
              |
              = help: indent the lines that belong to it by two more spaces
        "#]],
    );
}

#[test]
fn and_or_not() {
    check(
        r#"game "G"
moves
  if a && b: pass
  if a || b: pass
  if !a: pass
"#,
        expect![[r#"
            error[foreign-word]: `&&` is written `and` here
             --> test.game:3:8
              |
            3 |   if a && b: pass
              |        ^^ not of this language
              |
              = help: write `and`

            error[foreign-word]: `||` is written `or` here
             --> test.game:4:8
              |
            4 |   if a || b: pass
              |        ^^ not of this language
              |
              = help: write `or`

            error[foreign-word]: `!` is written `not` here
             --> test.game:5:6
              |
            5 |   if !a: pass
              |      ^ not of this language
              |
              = help: write `not`
        "#]],
    );
}

#[test]
fn else_if() {
    check(
        r#"game "G"
moves
  if a: pass
  else if b: pass
  elseif c: pass
  else: pass
"#,
        expect![[r#"
            error[foreign-word]: `else if` is written `elif` here
             --> test.game:4:3
              |
            4 |   else if b: pass
              |   ^^^^^^^ not of this language
              |
              = help: write `elif`

            error[foreign-word]: `elseif` is written `elif` here
             --> test.game:5:3
              |
            5 |   elseif c: pass
              |   ^^^^^^ not of this language
              |
              = help: write `elif`
        "#]],
    );
}

#[test]
fn else_alone() {
    check(
        r#"game "G"
moves
  let x = 1
  else: x = 2
"#,
        expect![[r#"
            error[else-without-if]: this `else` belongs to no `if`
             --> test.game:4:3
              |
            4 |   else: x = 2
              |   ^^^^ no `if` right above
              |
              = help: it stands on its own line, indented as its `if`, with nothing between but the block of the `if`
        "#]],
    );
}

#[test]
fn else_on_the_same_line() {
    check(
        r#"game "G"
moves
  if a: pass; else: loss
"#,
        expect![[r#"
            error[else-without-if]: this `else` belongs to no `if`
             --> test.game:3:15
              |
            3 |   if a: pass; else: loss
              |               ^^^^ no `if` right above
              |
              = help: it stands on its own line, indented as its `if`, with nothing between but the block of the `if`
        "#]],
    );
}

#[test]
fn then() {
    check(
        r#"game "G"
moves
  if a then pass
  if a then
    pass
"#,
        expect![[r#"
            error[foreign-word]: there is no `then` after a condition
             --> test.game:3:8
              |
            3 |   if a then pass
              |        ^^^^ not of this language
              |
              = help: put `:` before a statement on the same line, or the statements on lines of their own, indented

            error[foreign-word]: there is no `then` after a condition
             --> test.game:4:8
              |
            4 |   if a then
              |        ^^^^ not of this language
              |
              = help: put `:` before a statement on the same line, or the statements on lines of their own, indented
        "#]],
    );
}

#[test]
fn true_and_false() {
    check(
        r#"game "G"
moves
  let a = True
  let b = false
  let c = null
"#,
        expect![[r#"
            error[foreign-word]: `True` is written `yes` here
             --> test.game:3:11
              |
            3 |   let a = True
              |           ^^^^ not of this language
              |
              = help: write `yes`

            error[foreign-word]: `false` is written `no` here
             --> test.game:4:11
              |
            4 |   let b = false
              |           ^^^^^ not of this language
              |
              = help: write `no`

            error[foreign-word]: `null` is written `none` here
             --> test.game:5:11
              |
            5 |   let c = null
              |           ^^^^ not of this language
              |
              = help: write `none`
        "#]],
    );
}

#[test]
fn semicolon_at_the_end() {
    check(
        r#"game "G"
moves
  let x = 1;
  pass;
"#,
        expect![[r#"
            error[stray-semicolon]: nothing follows this semicolon
             --> test.game:3:12
              |
            3 |   let x = 1;
              |            ^ take this away
              |
              = help: a line ends by itself; `;` only stands between statements on one line

            error[stray-semicolon]: nothing follows this semicolon
             --> test.game:4:7
              |
            4 |   pass;
              |       ^ take this away
              |
              = help: a line ends by itself; `;` only stands between statements on one line
        "#]],
    );
}

#[test]
fn misspelt_statement() {
    check(
        r#"game "G"
moves
  fro a in mine
    mvoe a to b
  retrun x
  lte x = 3
"#,
        expect![[r#"
            error[unknown-statement]: `fro` is not a statement
             --> test.game:3:3
              |
            3 |   fro a in mine
              |   ^^^ no statement starts with this
              |
              = help: did you mean `for`?

            error[unknown-statement]: `mvoe` is not a statement
             --> test.game:4:5
              |
            4 |     mvoe a to b
              |     ^^^^ no statement starts with this
              |
              = help: did you mean `move`?

            error[unknown-statement]: `retrun` is not a statement
             --> test.game:5:3
              |
            5 |   retrun x
              |   ^^^^^^ no statement starts with this
              |
              = help: did you mean `return`?

            error[unknown-statement]: `lte` is not a statement
             --> test.game:6:3
              |
            6 |   lte x = 3
              |   ^^^ no statement starts with this
              |
              = help: did you mean `let`?
        "#]],
    );
}

#[test]
fn other_words_for_statements() {
    check(
        r#"game "G"
moves
  foreach a in mine: pass
  capture b
  win
  remove(a)
"#,
        expect![[r#"
            error[unknown-statement]: `foreach` is not a statement
             --> test.game:3:3
              |
            3 |   foreach a in mine: pass
              |   ^^^^^^^ no statement starts with this
              |
              = help: did you mean `for`?

            error[unknown-statement]: `capture` is not a statement
             --> test.game:4:3
              |
            4 |   capture b
              |   ^^^^^^^ no statement starts with this
              |
              = help: did you mean `take`?

            error[unknown-statement]: `win` is not a statement
             --> test.game:5:3
              |
            5 |   win
              |   ^^^ no statement starts with this
              |
              = help: did you mean `victory`?
        "#]],
    );
}

#[test]
fn missing_comma_between_actions() {
    check(
        r#"game "G"
moves
  move a to b take c
  move a to b to c
"#,
        expect![[r#"
            error[missing-comma]: a comma is missing before `take`
             --> test.game:3:15
              |
            3 |   move a to b take c
              |               ^^^^ another action starts here
              |
              = help: put `,` between the actions of a move: `a to b, take c`

            error[missing-comma]: a second `to` in one action
             --> test.game:4:15
              |
            4 |   move a to b to c
              |               ^^ expected `,` before the next action
              |
              = help: each action has its own squares: `a to b, c to d`
        "#]],
    );
}

#[test]
fn move_of_nothing() {
    check(
        r#"game "G"
moves
  move a
  move a, b
"#,
        expect![[r#"
            error[unexpected-token]: expected `to` or `becomes`, found the end of the line
             --> test.game:3:9
              |
            3 |   move a
              |         ^ expected `to` or `becomes`
              |
              = help: after `move` say what it does: `a to b`, `take c`, `put my stone on a`, `a becomes king`, `set x = 1`

            error[unexpected-token]: expected `to` or `becomes`, found `,`
             --> test.game:4:9
              |
            4 |   move a, b
              |         ^ expected `to` or `becomes`
              |
              = help: after `move` say what it does: `a to b`, `take c`, `put my stone on a`, `a becomes king`, `set x = 1`
        "#]],
    );
}

#[test]
fn set_without_word() {
    check(
        r#"game "G"
moves
  castle[White] = no
  a.kind = king
"#,
        expect![[r#"
            error[not-a-statement]: `castle[White]` is not a variable
             --> test.game:3:3
              |
            3 |   castle[White] = no
              |   ^^^^^^^^^^^^^ only a variable gets a value this way
              |
              = help: a cell is changed by an action of a move: `set castle[White] = ...`

            error[not-a-statement]: `a.kind` cannot be given a value
             --> test.game:4:3
              |
            4 |   a.kind = king
              |   ^^^^^^ a property of a square
              |
              = help: in a move, a man changes with `a becomes king` and goes with `a to b`
        "#]],
    );
}

#[test]
fn value_as_a_statement() {
    check(
        r#"game "G"
moves
  a == b
  x + 1
  mine
"#,
        expect![[r#"
            error[not-a-statement]: this computes a value and does nothing with it
             --> test.game:3:3
              |
            3 |   a == b
              |   ^^^^^^ a value
              |
              = help: put `if`, `return` or `let x =` before it

            error[not-a-statement]: this computes a value and does nothing with it
             --> test.game:4:3
              |
            4 |   x + 1
              |   ^^^^^ a value
              |
              = help: put `if`, `return` or `let x =` before it

            error[not-a-statement]: this does nothing
             --> test.game:5:3
              |
            5 |   mine
              |   ^^^^ a value, not a statement
              |
              = help: a statement starts with a word such as `let`, `if`, `for` or `move`, or calls something: `name(...)`
        "#]],
    );
}

#[test]
fn loop_without_in() {
    check(
        r#"game "G"
moves
  for a = mine: pass
  for a of mine: pass
  for 1..3: pass
"#,
        expect![[r#"
            error[unexpected-token]: expected `in` or `from` after the variable, found `=`
             --> test.game:3:9
              |
            3 |   for a = mine: pass
              |         ^ expected `in` or `from` after the variable
              |
              = help: write `for a in mine`, `for i in 1..3` or `for b from a along north`

            error[unexpected-token]: expected `in` or `from` after the variable, found `of`
             --> test.game:4:9
              |
            4 |   for a of mine: pass
              |         ^^ expected `in` or `from` after the variable
              |
              = help: write `for a in mine`, `for i in 1..3` or `for b from a along north`

            error[unexpected-token]: expected the name of a variable after `for`, found `1`
             --> test.game:5:7
              |
            5 |   for 1..3: pass
              |       ^ expected the name of a variable after `for`
              |
              = help: write it like this: `for a in mine`
        "#]],
    );
}

#[test]
fn ray_without_along() {
    check(
        r#"game "G"
moves
  for b from a: pass
  for b from a north: pass
"#,
        expect![[r#"
            error[unexpected-token]: expected `along` and a direction, found `:`
             --> test.game:3:15
              |
            3 |   for b from a: pass
              |               ^ expected `along` and a direction
              |
              = help: write for example `for b from a along north`

            error[unexpected-token]: expected `along` and a direction, found `:`
             --> test.game:4:21
              |
            4 |   for b from a north: pass
              |                     ^ expected `along` and a direction
              |
              = help: write for example `for b from a along north`
        "#]],
    );
}

#[test]
fn range_in_a_comparison() {
    check(
        r#"game "G"
moves
  if x in 1..3: pass
"#,
        expect![[r#"
            error[unexpected-token]: a range cannot stand here
             --> test.game:3:12
              |
            3 |   if x in 1..3: pass
              |            ^^ a range of numbers
              |
              = help: ranges stand in `for i in 1..n`, in `option` and in `cell`; otherwise compare twice: `1 <= x and x <= n`
        "#]],
    );
}

#[test]
fn let_without_value() {
    check(
        r#"game "G"
moves
  let x
  let 3 = x
  let if = 3
"#,
        expect![[r#"
            error[unexpected-token]: expected `=` and a value after the new variable, found the end of the line
             --> test.game:3:8
              |
            3 |   let x
              |        ^ expected `=` and a value after the new variable
              |
              = help: write it like this: `let x = 3`

            error[unexpected-token]: expected the name of a new variable, found `3`
             --> test.game:4:7
              |
            4 |   let 3 = x
              |       ^ expected the name of a new variable
              |
              = help: write it like this: `let x = 3`

            error[reserved-word]: `if` is a word of the language
             --> test.game:5:7
              |
            5 |   let if = 3
              |       ^^ expected the name of a new variable
              |
              = help: choose another name, such as `if_`
        "#]],
    );
}

#[test]
fn comparisons_in_a_row() {
    check(
        r#"game "G"
moves
  if 1 < x < 3: pass
"#,
        expect![[r#"
            error[chained-comparison]: one comparison follows another
             --> test.game:3:12
              |
            3 |   if 1 < x < 3: pass
              |            ^ the second comparison
              |
              = help: compare twice: `a < b and b < c`
        "#]],
    );
}

#[test]
fn expression_missing() {
    check(
        r#"game "G"
moves
  let x =
  let y = 3 +
  if : pass
  let z = f(a,, b)
  let w = .5
"#,
        expect![[r#"
            error[expected-expression]: expected an expression after `=`, found the end of the line
             --> test.game:3:10
              |
            3 |   let x =
              |          ^ expected an expression
              |
              = help: a square, a number, a name or a bracket can stand here

            error[expected-expression]: expected an expression after `+`, found the end of the line
             --> test.game:4:14
              |
            4 |   let y = 3 +
              |              ^ expected an expression
              |
              = help: a square, a number, a name or a bracket can stand here

            error[expected-expression]: expected an expression after `if`, found `:`
             --> test.game:5:6
              |
            5 |   if : pass
              |      ^ expected an expression
              |
              = help: a square, a number, a name or a bracket can stand here

            error[expected-expression]: expected an expression after `,`, found `,`
             --> test.game:6:15
              |
            6 |   let z = f(a,, b)
              |               ^ expected an expression
              |
              = help: a square, a number, a name or a bracket can stand here

            error[expected-expression]: expected an expression after `=`, found `.`
             --> test.game:7:11
              |
            7 |   let w = .5
              |           ^ expected an expression
              |
              = help: a number has a digit before its point: `0.5`
        "#]],
    );
}

#[test]
fn reserved_in_expression() {
    check(
        r#"game "G"
moves
  let x = to + 1
  let y = a and or b
"#,
        expect![[r#"
            error[expected-expression]: expected an expression after `=`, found `to`
             --> test.game:3:11
              |
            3 |   let x = to + 1
              |           ^^ expected an expression
              |
              = help: `to` is a word of the language; a name or a value goes here

            error[expected-expression]: expected an expression after `and`, found `or`
             --> test.game:4:17
              |
            4 |   let y = a and or b
              |                 ^^ expected an expression
              |
              = help: `or` is a word of the language; a name or a value goes here
        "#]],
    );
}

#[test]
fn put_without_man() {
    check(
        r#"game "G"
moves
  move put on a
  move put my on a
  move put my stone a
"#,
        expect![[r#"
            error[unexpected-token]: expected a man, found `on`
             --> test.game:3:12
              |
            3 |   move put on a
              |            ^^ expected a man
              |
              = help: name a kind of man, perhaps with its owner: `king`, `my king`, `White king`

            error[unexpected-token]: expected a kind of man, found `on`
             --> test.game:4:15
              |
            4 |   move put my on a
              |               ^^ expected a kind of man
              |
              = help: a kind follows the owner: `my king`, `their (rook, queen)`

            error[unexpected-token]: expected `on` and a square after the man, found `a`
             --> test.game:5:21
              |
            5 |   move put my stone a
              |                     ^ expected `on` and a square after the man
              |
              = help: write it like this: `put my stone on a`
        "#]],
    );
}

#[test]
fn could_take_what() {
    check(
        r#"game "G"
moves
  if they could capture king: loss
"#,
        expect![[r#"
            error[unexpected-token]: expected `take` after `could`, found `capture`
             --> test.game:3:17
              |
            3 |   if they could capture king: loss
              |                 ^^^^^^^ expected `take` after `could`
              |
              = help: write for example `they could take king`
        "#]],
    );
}

#[test]
fn assignment_in_sequence() {
    check(
        r#"game "G"
moves
  let x = y = 3
"#,
        expect![[r#"
            error[unexpected-token]: `=` cannot stand here
             --> test.game:3:13
              |
            3 |   let x = y = 3
              |             ^ the statement was complete before this
              |
              = help: compare with `==`; give a new value with `x = ...`, one at a time
        "#]],
    );
}

#[test]
fn member_missing() {
    check(
        r#"game "G"
moves
  let x = a.
  let y = a.3
"#,
        expect![[r#"
            error[unexpected-token]: expected a property after `.`, found the end of the line
             --> test.game:3:13
              |
            3 |   let x = a.
              |             ^ expected a property after `.`
              |
              = help: write for example `a.north`, `a.kind` or `a.empty`

            error[unexpected-token]: expected a property after `.`, found `3`
             --> test.game:4:13
              |
            4 |   let y = a.3
              |             ^ expected a property after `.`
              |
              = help: write for example `a.north`, `a.kind` or `a.empty`
        "#]],
    );
}

#[test]
fn several_errors_one_line_each() {
    check(
        r#"game "G"
moves
  let = 3 + + )
  if if if
  for for for
  move move
"#,
        expect![[r#"
            error[unexpected-token]: expected the name of a new variable, found `=`
             --> test.game:3:7
              |
            3 |   let = 3 + + )
              |       ^ expected the name of a new variable
              |
              = help: write it like this: `let x = 3`

            error[expected-expression]: expected an expression after `if`, found `if`
             --> test.game:4:6
              |
            4 |   if if if
              |      ^^ expected an expression
              |
              = help: `if` is a word of the language; a name or a value goes here

            error[reserved-word]: `for` is a word of the language
             --> test.game:5:7
              |
            5 |   for for for
              |       ^^^ expected the name of a variable after `for`
              |
              = help: choose another name, such as `for_`

            error[expected-expression]: expected an expression after `move`, found `move`
             --> test.game:6:8
              |
            6 |   move move
              |        ^^^^ expected an expression
              |
              = help: `move` is a word of the language; a name or a value goes here
        "#]],
    );
}

#[test]
fn too_many_brackets() {
    check(
        &format!("game \"G\"\nmoves\n  let x = {}a{}\n", "(".repeat(120), ")".repeat(120)),
        expect![[r#"
            error[nested-too-deep]: brackets and blocks stand in each other too deeply
             --> test.game:3:109
              |
            3 |   let x = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((a))...
              |                                                                                                             ^ one level too many
              |
              = help: give the inner part a name with `let`, or move it to a `function`
        "#]],
    );
}

#[test]
fn too_many_terms() {
    check(
        &format!("game \"G\"\nmoves\n  let x = a{}\n", " + a".repeat(300)),
        expect![[r#"
            error[nested-too-deep]: this expression is too long to be read as one
             --> test.game:3:1017
              |
            3 | ...a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a ...
              |                                                      ^ too many operators in a row
              |
              = help: give parts of it names with `let`
        "#]],
    );
}
