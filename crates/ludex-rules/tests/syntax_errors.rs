//! What authors see. Run with `UPDATE_EXPECT=1` to rewrite, then read the diff.

use expect_test::{Expect, expect};
use ludex_rules::codes::CODES;
use ludex_rules::parse::parse;
use ludex_rules::render::render;

#[track_caller]
fn check(source: &str, expect: Expect) {
    let (_, diagnostics) = parse(source);
    for it in &diagnostics {
        assert!(CODES.iter().any(|(code, _)| *code == it.code), "{} is not in the table of codes", it.code);
        assert!(!it.label.is_empty() && it.help.is_some(), "a diagnostic without label or help is a draft: {it:?}");
    }
    expect.assert_eq(&render(&diagnostics, "test.game", source, false));
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
              = help: indent with spaces, two for each level; `ludex fmt` cannot know how wide your tabs are
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
        expect![[""]],
    );
}

#[test]
fn indented_declaration() {
    check(
        r#"game "G"
  men pawn
  players White
"#,
        expect![[""]],
    );
}

#[test]
fn text_without_end() {
    check(
        r#"game "Chess
men pawn
"#,
        expect![[""]],
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
        expect![[""]],
    );
}

#[test]
fn signs_from_mathematics() {
    check(
        r#"game "G"
moves
  if a ≤ b: pass
"#,
        expect![[""]],
    );
}

#[test]
fn invisible_space() {
    check(
        "game \"G\"\nmoves\n  let x\u{a0}= 1\n",
        expect![[""]],
    );
}

#[test]
fn size_with_x() {
    check(
        r#"game "G"
board square 8x8
"#,
        expect![[""]],
    );
}

#[test]
fn slash_comment() {
    check(
        r#"game "G"
moves
  pass // nothing
"#,
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
    );
}

#[test]
fn wrong_bracket() {
    check(
        r#"game "G"
moves
  let s = {a1, b2]
"#,
        expect![[""]],
    );
}

#[test]
fn stray_bracket() {
    check(
        r#"game "G"
moves
  let s = a1)
"#,
        expect![[""]],
    );
}

#[test]
fn square_roots() {
    check(
        r#"game "G"
moves
  let s = a ^ 2
"#,
        expect![[""]],
    );
}

#[test]
fn no_header() {
    check(
        r#"men pawn
"#,
        expect![[""]],
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
        expect![[""]],
    );
}

#[test]
fn header_twice() {
    check(
        r#"game "G"
game "H"
"#,
        expect![[""]],
    );
}

#[test]
fn header_without_quotes() {
    check(
        r#"game Chess
men pawn
"#,
        expect![[""]],
    );
}

#[test]
fn player_without_game() {
    check(
        r#"player "Anna"
"#,
        expect![[""]],
    );
}

#[test]
fn misspelt_declaration() {
    check(
        r#"game "G"
mooves
  move a to b
"#,
        expect![[""]],
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
        expect![[""]],
    );
}

#[test]
fn statement_outside() {
    check(
        r#"game "G"
for a in mine: move a to b
"#,
        expect![[""]],
    );
}

#[test]
fn number_outside() {
    check(
        r#"game "G"
12 men
"#,
        expect![[""]],
    );
}

#[test]
fn option_without_value() {
    check(
        r#"game "G"
option n in 4..20
"#,
        expect![[""]],
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
        expect![[""]],
    );
}

#[test]
fn list_over_two_lines() {
    check(
        r#"game "G"
men pawn "P" "p",
  king
"#,
        expect![[""]],
    );
}

#[test]
fn reserved_name() {
    check(
        r#"game "G"
men my, to
"#,
        expect![[""]],
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
            error[unexpected-token]: expected `:` and a type after the name of a cell, as in `cell ep: square`, found `=`
             --> test.game:2:8
              |
            2 | cell n = 3
              |        ^ expected `:` and a type after the name of a cell, as in `cell ep: square`
              |
              = help: `=` gives a value; two values are compared with `==`
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
        expect![[""]],
    );
}

#[test]
fn function_without_type() {
    check(
        r#"game "G"
function f(a: square)
  return 1
"#,
        expect![[""]],
    );
}

#[test]
fn function_with_unknown_type() {
    check(
        r#"game "G"
function f(a: piece): integer
  return 1
"#,
        expect![[""]],
    );
}

#[test]
fn procedure_with_type() {
    check(
        r#"game "G"
procedure f(a: square): bool
  pass
"#,
        expect![[""]],
    );
}

#[test]
fn parameter_without_type() {
    check(
        r#"game "G"
procedure f(a, b: square)
  pass
"#,
        expect![[""]],
    );
}

#[test]
fn routine_without_brackets() {
    check(
        r#"game "G"
action promote
  pass
"#,
        expect![[""]],
    );
}

#[test]
fn map_with_equals() {
    check(
        r#"game "G"
map value: pawn = 1
"#,
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
    );
}

#[test]
fn score_outside() {
    check(
        r#"game "G"
score 3
"#,
        expect![[""]],
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
        expect![[""]],
    );
}

#[test]
fn number_too_large() {
    check(
        r#"game "G"
score up to 99999999999999999999
"#,
        expect![[""]],
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
              |        ^ this changes a variable
              |
              = help: compare with `==`

            error[assign-in-condition]: `=` gives a value, it does not compare
             --> test.game:4:11
              |
            4 |   while x = 3
              |           ^ this changes a variable
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
            error[unexpected-token]: expected `)` or `,` in this bracket, found `=`
             --> test.game:3:9
              |
            3 |   if (a = b) and c: pass
              |         ^ expected `)` or `,` in this bracket
              |
              = help: `=` gives a value; two values are compared with `==`
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
        expect![[""]],
    );
}

#[test]
fn missing_colon_before_call() {
    check(
        r#"game "G"
moves
  if a.empty slide(a)
"#,
        expect![[""]],
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
        expect![[""]],
    );
}

#[test]
fn missing_block_at_the_end() {
    check(
        r#"game "G"
moves
  for a in mine
"#,
        expect![[""]],
    );
}

#[test]
fn moves_without_lines() {
    check(
        r#"game "G"
moves
result
"#,
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
    );
}

#[test]
fn range_in_a_comparison() {
    check(
        r#"game "G"
moves
  if x in 1..3: pass
"#,
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
    );
}

#[test]
fn could_take_what() {
    check(
        r#"game "G"
moves
  if they could capture king: loss
"#,
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
    );
}

#[test]
fn too_many_brackets() {
    check(
        &format!("game \"G\"\nmoves\n  let x = {}a{}\n", "(".repeat(120), ")".repeat(120)),
        expect![[""]],
    );
}

#[test]
fn too_many_terms() {
    check(
        &format!("game \"G\"\nmoves\n  let x = a{}\n", " + a".repeat(300)),
        expect![[""]],
    );
}
