//! The formatter: what it does, and that it changes nothing but spaces.

use expect_test::{Expect, expect};
use ludex_rules::fmt::format;
use ludex_rules::parse::parse;

#[track_caller]
fn check(source: &str, expect: Expect) {
    let formatted = format(source).expect("the source has no errors");
    expect.assert_eq(&formatted);
    assert_eq!(format(&formatted).as_ref(), Ok(&formatted), "formatting twice is formatting once");
    assert_eq!(
        crate::syntax::show(&parse(source).0),
        crate::syntax::show(&parse(&formatted).0),
        "the tree is the same"
    );
}

#[test]
fn spaces_between_tokens() {
    check(
        r#"game   "G"
const  a=[ (1,2),(-1 , 2),( n,- 2 ),north+-west , at( 1,2 ) ]
region r=~ ( rank( 1 )|rank(2) )&{ a1,b2 }-edge( -d )
option n=8 in 4 .. 20
option s = a in( a,b )
cell hand [player] [kind] :0 .. 18=2
map value :pawn->1,queen->-9
illegal   if they   could take king
search   alphabeta depth = 6  mode=fast
"#,
        expect![[r#"
            game "G"
            const a = [(1,2), (-1,2), (n, -2), north + -west, at(1, 2)]
            region r = ~(rank(1) | rank(2)) & {a1, b2} - edge(-d)
            option n = 8 in 4..20
            option s = a in (a, b)
            cell hand[player][kind]: 0..18 = 2
            map value: pawn -> 1, queen -> -9
            illegal if they could take king
            search alphabeta depth=6 mode=fast
        "#]],
    );
}

#[test]
fn spaces_in_statements() {
    check(
        r#"game "G"
moves
  if(a.empty)and not(b . north in far):move a to b ,take(c|d),next(p) weight(3)
  next (p)
  take( a )
  return(1)
  let x=- y*-2-- z
  x+=- 1;  x-=1
  for k in[queen,rook]:put my k on(a)
  for b from(a)along(d):slide (b,[ ]) as(opponent)
  score(1)+2
  if a is their(rook,queen)or any(mine)or no(theirs):score -1
  write a ,"x",next (p)
"#,
        expect![[r#"
            game "G"
            moves
              if (a.empty) and not (b.north in far): move a to b, take (c | d), next (p) weight (3)
              next (p)
              take (a)
              return (1)
              let x = -y * -2 - -z
              x += -1; x -= 1
              for k in [queen, rook]: put my k on (a)
              for b from (a) along (d): slide(b, []) as (opponent)
              score (1) + 2
              if a is their (rook, queen) or any (mine) or no (theirs): score -1
              write a, "x", next(p)
        "#]],
    );
}

#[test]
fn indentation_becomes_two_spaces() {
    check(
        r#"game "G"
moves
     for a in mine
          if a.empty
           move a to b
          else: pass
     pass
"#,
        expect![[r#"
            game "G"
            moves
              for a in mine
                if a.empty
                  move a to b
                else: pass
              pass
        "#]],
    );
}

#[test]
fn comments_stay_where_they_belong() {
    check(
        r#"# top


# second
game "G"     # after the header
moves        #after
      # before the first line
    for a in mine    # loop
        move a to b
        # at the end of the loop
      # at the end of the loop, too, by its column
    # after the loop
# before the result
result: draw
  # indented for no reason
# end
"#,
        expect![[r##"
            # top

            # second
            game "G"  # after the header
            moves     #after
              # before the first line
              for a in mine  # loop
                move a to b
                # at the end of the loop
              # at the end of the loop, too, by its column
              # after the loop
            # before the result
            result: draw
            # indented for no reason
            # end
        "##]],
    );
}

#[test]
fn neighbouring_comments_share_a_column() {
    check(
        "game \"G\"\ncell ep: square # one\ncell winner: player       # two\ncell n: 0..9\ncell m: 0..9 # three\n",
        expect![[r#"
            game "G"
            cell ep: square      # one
            cell winner: player  # two
            cell n: 0..9
            cell m: 0..9  # three
        "#]],
    );
}

#[test]
fn blank_lines() {
    check(
        "\n\ngame \"G\"\n\n\n\nmoves\n\n\n  pass   \n   \n  pass\n\n\n",
        expect![[r#"
        game "G"

        moves

          pass

          pass
    "#]],
    );
}

#[test]
fn brackets_over_several_lines() {
    check(
        r#"game "G"
const a = [
(1,2),   # one
     # two
  [ north,
  south
  ],
]
moves
  for a in f(x,
     y)
    pass
"#,
        expect![[r#"
            game "G"
            const a = [
              (1,2),  # one
              # two
              [north,
                south
              ],
            ]
            moves
              for a in f(x,
                y)
                pass
        "#]],
    );
}

#[test]
fn graph_and_notation_brackets() {
    check(
        r#"game "G"
board graph
  points a1(0,0),b1 (  1,-1 )
  lines a1   b1;b1 a1
notation
  position board,flags(K short[White])
"#,
        expect![[r#"
            game "G"
            board graph
              points a1 (0,0), b1 (1,-1)
              lines a1 b1; b1 a1
            notation
              position board, flags (K short[White])
        "#]],
    );
}

#[test]
fn line_ends_and_byte_order_mark() {
    check(
        "\u{feff}game \"G\"\r\nmoves\r\n  pass\t;  pass # c \r\n",
        expect![[r#"
        game "G"
        moves
          pass; pass  # c
    "#]],
    );
}

#[test]
fn a_file_with_errors_is_not_touched() {
    let errors = format("game \"G\"\nmooves\n").expect_err("a misspelt word");
    assert_eq!(errors.len(), 1);
}

#[test]
fn everything() {
    let source = include_str!("syntax/everything.game");
    let formatted = format(source).unwrap_or_else(|errors| panic!("{errors:#?}"));
    assert_eq!(format(&formatted).as_ref(), Ok(&formatted));
    assert_eq!(crate::syntax::show(&parse(source).0), crate::syntax::show(&parse(&formatted).0));
    let comments = |text: &str| text.matches("# ").count();
    assert_eq!(comments(source), comments(&formatted));
}

/// Every game of the collection keeps its tree and its comments.
#[test]
fn games() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    for entry in std::fs::read_dir(folder).expect("the collection is checked out") {
        let path = entry.expect("a readable folder").path();
        if path.extension().is_none_or(|it| it != "game") {
            continue;
        }
        let source = std::fs::read_to_string(&path).expect("a readable file");
        let formatted =
            format(&source).unwrap_or_else(|errors| panic!("{}: {errors:#?}", path.display()));
        assert_eq!(format(&formatted).as_ref(), Ok(&formatted), "{}", path.display());
        assert_eq!(
            crate::syntax::show(&parse(&source).0),
            crate::syntax::show(&parse(&formatted).0),
            "{}",
            path.display()
        );
    }
}
