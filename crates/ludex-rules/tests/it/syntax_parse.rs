//! The tree of every construct of the language. Run with `UPDATE_EXPECT=1` to rewrite, then read the diff.

use expect_test::{Expect, expect};
use ludex_diagnostics::{SourceText, render};
use ludex_rules::parse::parse;

/// The declarations of a file.
#[track_caller]
fn check(source: &str, expect: Expect) {
    let (file, diagnostics) = parse(source);
    assert!(
        diagnostics.is_empty(),
        "{}",
        render(&diagnostics, SourceText::new("test.game", source))
    );
    let header = file.header.iter().map(crate::syntax::show);
    let shown: Vec<String> = header.chain(file.items.iter().map(crate::syntax::show)).collect();
    expect.assert_eq(&(shown.join("\n") + "\n"));
}

/// The statements of a block.
#[track_caller]
fn check_statements(source: &str, expect: Expect) {
    let block: String = source.lines().flat_map(|line| ["  ", line, "\n"]).collect();
    let source = format!("game \"G\"\nmoves\n{block}");
    let (file, diagnostics) = parse(&source);
    assert!(
        diagnostics.is_empty(),
        "{}",
        render(&diagnostics, SourceText::new("test.game", &source))
    );
    let ludex_rules::ast::ItemKind::Algorithm { body, .. } = &file.items[0].kind else {
        panic!("a block of moves")
    };
    let shown: Vec<String> = body.iter().map(crate::syntax::show).collect();
    expect.assert_eq(&(shown.join("\n") + "\n"));
}

/// An expression.
#[track_caller]
fn check_expression(source: &str, expect: Expect) {
    let source = format!("game \"G\"\nconst it = {source}\n");
    let (file, diagnostics) = parse(&source);
    assert!(
        diagnostics.is_empty(),
        "{}",
        render(&diagnostics, SourceText::new("test.game", &source))
    );
    let ludex_rules::ast::ItemKind::Const { value, .. } = &file.items[0].kind else {
        panic!("a constant")
    };
    expect.assert_eq(&(crate::syntax::show(value) + "\n"));
}

#[test]
fn header_of_a_game() {
    check(
        r#"game "Tic-tac-toe"
"#,
        expect![[r#"
            (Header title="Tic-tac-toe")
        "#]],
    );
}

#[test]
fn header_of_a_player() {
    check(
        r#"player "Anna" for phutball
search alphabeta depth=6 time=1.5 mode=fast bias=-2 book="main"
"#,
        expect![[r#"
            (Header title="Anna" for_game=phutball)
            (Search
              name=alphabeta
              settings=[(depth 6) (time 1.5) (mode fast) (bias (Unary Neg 2)) (book "main")])
        "#]],
    );
}

#[test]
fn options() {
    check(
        r#"game "G"
option n = 8 in 4..20
option castling = yes
option start = empty in (empty, crosscut)
option flag = no
"#,
        expect![[r#"
            (Header title="G")
            (Option name=n default=8 range=(Numbers 4 20))
            (Option name=castling default=yes)
            (Option name=start default=empty range=(Words [empty crosscut]))
            (Option name=flag default=no)
        "#]],
    );
}

#[test]
fn square_boards() {
    check(
        r#"game "G"
board square 8 by 8
board square n by m + 1 wrap columns
board square 10 by 10 on dark
board square 4 by 4 wrap both on light
board hex 11 by 11
"#,
        expect![[r#"
            (Header title="G")
            (Board (Square columns=8 rows=8))
            (Board (Square columns=n rows=(Binary Add m 1) wrap=Columns))
            (Board (Square columns=10 rows=10 on=dark))
            (Board (Square columns=4 rows=4 wrap=Both on=light))
            (Board (Hex columns=11 rows=11))
        "#]],
    );
}

#[test]
fn graph_board() {
    check(
        r#"game "G"
board graph
  points a1 (0,0), b1 (1,0)
  points c1 (-2,0), d
  lines a1 b1 c1; a1 d
  lines b1 d
"#,
        expect![[r#"
            (Header title="G")
            (Board (Graph points=[(a1 (0 0)) (b1 (1 0)) (c1 (-2 0)) d] lines=[[a1 b1 c1] [a1 d] [b1 d]]))
        "#]],
    );
}

#[test]
fn players_men_and_places() {
    check(
        r#"game "G"
places left, right
players White forward north, Black
men pawn "P" "p", king, stone neutral "o", neutral
"#,
        expect![[r#"
            (Header title="G")
            (Places [left right])
            (Players [(PlayerDecl name=White forward=north) (PlayerDecl name=Black)])
            (Men
              [
                (ManDecl name=pawn symbols=["P" "p"])
                (ManDecl name=king)
                (ManDecl name=stone neutral=true symbols=["o"])
                (ManDecl name=neutral)])
        "#]],
    );
}

#[test]
fn cells() {
    check(
        r#"game "G"
cell ep: square
cell phase: 0..2 = 1
cell castle[player]: bool = yes
cell hand[player][kind]: 0..n + 1
cell used[4]: set
cell winner: player = none
cell last: kind
cell start[player]: bool
"#,
        expect![[r#"
            (Header title="G")
            (Cell name=ep ty=Square)
            (Cell name=phase ty=(Range 0 2) default=1)
            (Cell name=castle indices=[Player] ty=Bool default=yes)
            (Cell name=hand indices=[Player Kind] ty=(Range 0 (Binary Add n 1)))
            (Cell name=used indices=[(Number 4)] ty=Set)
            (Cell name=winner ty=Player default=none)
            (Cell name=last ty=Kind)
            (Cell name=start indices=[Player] ty=Bool)
        "#]],
    );
}

#[test]
fn counters_and_history() {
    check(
        r#"game "G"
counter clock to 100
history position
history board
"#,
        expect![[r#"
            (Header title="G")
            (Counter name=clock limit=100)
            (History whole=true)
            (History)
        "#]],
    );
}

#[test]
fn constants_regions_maps() {
    check(
        r#"game "G"
const leaps = [(1,2), (-1, n)]
region camp = rank(1) | edge(forward)
map value: pawn -> 1, queen -> 9
map next_kind: pawn -> queen
"#,
        expect![[r#"
            (Header title="G")
            (Const name=leaps value=(List [(Step 1 2) (Step (Unary Neg 1) n)]))
            (Region name=camp value=(Binary Union (Call name=rank args=[1]) (Call name=edge args=[forward])))
            (Map name=value entries=[(pawn 1) (queen 9)])
            (Map name=next_kind entries=[(pawn queen)])
        "#]],
    );
}

#[test]
fn legality_and_score() {
    check(
        r#"game "G"
illegal if they could take king
illegal if we could take pawn or no reply
score up to 19 * 19
"#,
        expect![[r#"
            (Header title="G")
            (Illegal (CouldTake they=true kind=king))
            (Illegal (Binary Or (CouldTake kind=pawn) NoReply))
            (ScoreUpTo (Binary Mul 19 19))
        "#]],
    );
}

#[test]
fn start_block() {
    check(
        r#"game "G"
start
  White pawn on rank(2)
  White rook on a1, h1
  ball on at(5, 5)
  rows "8/8"
  set hand[White][pawn] = 2
  scatter red, White green on all seed 7
  turn Black
  if start == crosscut: White stone on d4; Black stone on e4
  elif start == other
    turn White
  else: ball on a1
"#,
        expect![[r#"
            (Header title="G")
            (Start
              [
                (Place man=(Man owner=(Player White) kind=pawn) on=[(Call name=rank args=[2])])
                (Place man=(Man owner=(Player White) kind=rook) on=[a1 h1])
                (Place man=ball on=[(Call name=at args=[5 5])])
                (Rows "8/8")
                (Set cell=(Index (Index hand White) pawn) value=2)
                (Scatter men=[red (Man owner=(Player White) kind=green)] on=all seed=7)
                (Turn Black)
                (If
                  cond=(Binary Eq start crosscut)
                  then=[
                    (Place man=(Man owner=(Player White) kind=stone) on=[d4])
                    (Place man=(Man owner=(Player Black) kind=stone) on=[e4])]
                  otherwise=[(If cond=(Binary Eq start other) then=[(Turn White)] otherwise=[(Place man=ball on=[a1])])])])
        "#]],
    );
}

#[test]
fn start_on_one_line() {
    check(
        r#"game "G"
start: White pawn on rank(2); turn Black
"#,
        expect![[r#"
            (Header title="G")
            (Start
              [(Place man=(Man owner=(Player White) kind=pawn) on=[(Call name=rank args=[2])]) (Turn Black)])
        "#]],
    );
}

#[test]
fn routines() {
    check(
        r#"game "G"
function attacked(s: square, by: player): bool
  return no
function seven(): int: return 7
procedure slide(a: square, way: path(direction))
  return
action promote(a: square, k: kind): a becomes k
"#,
        expect![[r#"
            (Header title="G")
            (Routine
              (Routine
                kind=Function
                name=attacked
                params=[(s (TypeName name=square)) (by (TypeName name=player))]
                returns=(TypeName name=bool)
                body=[(Return no)]))
            (Routine (Routine kind=Function name=seven returns=(TypeName name=int) body=[(Return 7)]))
            (Routine
              (Routine
                kind=Procedure
                name=slide
                params=[(a (TypeName name=square)) (way (TypeName name=path of=direction))]
                body=[(Return)]))
            (Routine
              (Routine
                kind=Action
                name=promote
                params=[(a (TypeName name=square)) (k (TypeName name=kind))]
                body=[(Act (Become at=a man=k))]))
        "#]],
    );
}

#[test]
fn algorithms() {
    check(
        r#"game "G"
moves: pass
result: victory
stuck: pass
adjudicate: draw
evaluate: return 0.5
evaluate for side: return 1
features: feature men = count(mine)
candidates: move a to b
candidates only: move a to b
"#,
        expect![[r#"
            (Header title="G")
            (Algorithm which=Moves body=[(Act Pass)])
            (Algorithm which=Result body=[(Outcome Victory)])
            (Algorithm which=Stuck body=[(Act Pass)])
            (Algorithm which=Adjudicate body=[(Outcome Draw)])
            (Algorithm which=Evaluate body=[(Return 0.5)])
            (Algorithm which=EvaluateForSide body=[(Return 1)])
            (Algorithm which=Features body=[(Feature name=men value=(Call name=count args=[mine]))])
            (Algorithm which=Candidates body=[(Move actions=[(Act (Go from=a to=b))])])
            (Algorithm which=CandidatesOnly body=[(Move actions=[(Act (Go from=a to=b))])])
        "#]],
    );
}

#[test]
fn notation() {
    check(
        r#"game "G"
notation
  position board, turn, flags (K short[White], "q" long), ep, hand[me], "1"
  san
"#,
        expect![[r#"
            (Header title="G")
            (Notation
              [
                (Position
                  [
                    (Board)
                    (Turn)
                    (Flags [("K" (Index short White)) ("q" long)])
                    (Cell ep)
                    (Cell (Index hand me))
                    "1"])
                (Word san)])
        "#]],
    );
}

#[test]
fn facts() {
    check(
        r#"game "G"
expect
  perft 20, 400, 8_902
  perft from "8/8 w" 5, 15
  perft with "6,6" from "x" 16, 18_446_744_073_709_551_615
  after "e2e4 e7e5": goes on
  after with "6" "f2f3": Black wins
  after "": draw
  solved draw
  solved with "5" loss
"#,
        expect![[r#"
            (Header title="G")
            (Expect
              [
                (Perft [20 400 8902])
                (Fact kind=(Perft [5 15]) from="8/8 w")
                (Fact kind=(Perft [16 18446744073709551615]) with="6,6" from="x")
                (After moves="e2e4 e7e5")
                (Fact kind=(After moves="f2f3" outcome=Black) with="6")
                (After moves="" draw=true)
                (Solved draw)
                (Fact kind=(Solved loss) with="5")])
        "#]],
    );
}

#[test]
fn variables() {
    check_statements(
        r#"let x = 3
x = x + 1; x += 1; x -= 1
"#,
        expect![[r#"
            (Let name=x value=3)
            (Assign name=x op=Set value=(Binary Add x 1))
            (Assign name=x op=Add value=1)
            (Assign name=x op=Sub value=1)
        "#]],
    );
}

#[test]
fn conditions() {
    check_statements(
        r#"if x > 2: x = 0; y = 0
elif x == 1: x = 5
elif x == 2
  x = 6
else: x = 7
"#,
        expect![[r#"
            (If
              cond=(Binary Gt x 2)
              then=[(Assign name=x op=Set value=0) (Assign name=y op=Set value=0)]
              otherwise=[
                (If
                  cond=(Binary Eq x 1)
                  then=[(Assign name=x op=Set value=5)]
                  otherwise=[
                    (If
                      cond=(Binary Eq x 2)
                      then=[(Assign name=x op=Set value=6)]
                      otherwise=[(Assign name=x op=Set value=7)])])])
        "#]],
    );
}

#[test]
fn else_belongs_to_the_line() {
    check_statements(
        r#"if a: if b: c = 1
else: c = 2
"#,
        expect![[r#"
            (If
              cond=a
              then=[(If cond=b then=[(Assign name=c op=Set value=1)])]
              otherwise=[(Assign name=c op=Set value=2)])
        "#]],
    );
}

#[test]
fn loops() {
    check_statements(
        r#"for a in mine: pass
for k in [queen, rook]: pass
for i in 1..n: pass
for b from a along d + e: pass
while b is theirs: b = b + d
while yes
  break
  continue
"#,
        expect![[r#"
            (For var=a over=mine body=[(Act Pass)])
            (For var=k over=(List [queen rook]) body=[(Act Pass)])
            (ForRange var=i lo=1 hi=n body=[(Act Pass)])
            (ForRay var=b from=a along=(Binary Add d e) body=[(Act Pass)])
            (While
              cond=(Is square=b pattern=(Pattern kinds=[theirs]))
              body=[(Assign name=b op=Set value=(Binary Add b d))])
            (While cond=yes body=[Break Continue])
        "#]],
    );
}

#[test]
fn headers_on_one_line() {
    check_statements(
        r#"for a in mine: for d in eight
  if a + d is empty: move a to a + d
"#,
        expect![[r#"
            (For
              var=a
              over=mine
              body=[
                (For
                  var=d
                  over=eight
                  body=[
                    (If
                      cond=(Is square=(Binary Add a d) pattern=(Pattern kinds=[empty]))
                      then=[(Move actions=[(Act (Go from=a to=(Binary Add a d)))])])])])
        "#]],
    );
}

#[test]
fn outcomes() {
    check_statements(
        r#"victory
loss
draw
score count(mine) - 1
score -1
score(1)
"#,
        expect![[r#"
            (Outcome Victory)
            (Outcome Loss)
            (Outcome Draw)
            (Outcome (Score (Binary Sub (Call name=count args=[mine]) 1)))
            (Outcome (Score (Unary Neg 1)))
            (Outcome (Score 1))
        "#]],
    );
}

#[test]
fn returns() {
    check_statements(
        r#"return
return x
if a: return; b = 1
"#,
        expect![[r#"
            (Return)
            (Return x)
            (If cond=a then=[(Return) (Assign name=b op=Set value=1)])
        "#]],
    );
}

#[test]
fn plain_move() {
    check_statements(
        r#"move a to b
quiet move a to b, take c, b becomes king
move
"#,
        expect![[r#"
            (Move actions=[(Act (Go from=a to=b))])
            (Move quiet=true actions=[(Act (Go from=a to=b)) (Act (Take c)) (Act (Become at=b man=king))])
            (Move)
        "#]],
    );
}

#[test]
fn move_with_a_block() {
    check_statements(
        r#"quiet move a to b
  set ep = none
  if a == e1: set castle[White] = no
  hop(a, b)
move a to b: set x = 1; set y = 2
move
  pass
move: pass
"#,
        expect![[r#"
            (Move
              quiet=true
              actions=[(Act (Go from=a to=b))]
              body=[
                (Act (Set cell=ep op=Set value=none))
                (If cond=(Binary Eq a e1) then=[(Act (Set cell=(Index castle White) op=Set value=no))])
                (Call (Call name=hop args=[a b]))])
            (Move
              actions=[(Act (Go from=a to=b))]
              body=[(Act (Set cell=x op=Set value=1)) (Act (Set cell=y op=Set value=2))])
            (Move body=[(Act Pass)])
            (Move body=[(Act Pass)])
        "#]],
    );
}

#[test]
fn move_with_a_weight() {
    check_statements(
        r#"move put my disc on a weight count(theirs) + 1
move weight 3: pass
move a to b weight -1
  set x = no
"#,
        expect![[r#"
            (Move
              actions=[(Act (Put man=(Man owner=My kind=disc) on=a))]
              weight=(Binary Add (Call name=count args=[theirs]) 1))
            (Move body=[(Act Pass)] weight=3)
            (Move
              actions=[(Act (Go from=a to=b))]
              body=[(Act (Set cell=x op=Set value=no))]
              weight=(Unary Neg 1))
        "#]],
    );
}

#[test]
fn actions() {
    check_statements(
        r#"take s
take {a, b}
put my stone on s
put White stone on s | t
put k on s
put p k on s
a becomes king
a becomes my disc
set x = e
set hand[me][k] += 1
set n -= 1
reset clock
irreversible
next p
next next(p)
pass
write a, "x", b
promote(a, k)
"#,
        expect![[r#"
            (Act (Take s))
            (Act (Take (Set [a b])))
            (Act (Put man=(Man owner=My kind=stone) on=s))
            (Act (Put man=(Man owner=(Player White) kind=stone) on=(Binary Union s t)))
            (Act (Put man=k on=s))
            (Act (Put man=(Man owner=(Player p) kind=k) on=s))
            (Act (Become at=a man=king))
            (Act (Become at=a man=(Man owner=My kind=disc)))
            (Act (Set cell=x op=Set value=e))
            (Act (Set cell=(Index (Index hand me) k) op=Add value=1))
            (Act (Set cell=n op=Sub value=1))
            (Act (Reset clock))
            (Act Irreversible)
            (Act (Next p))
            (Act (Next (Call name=next args=[p])))
            (Act Pass)
            (Act (Write [a "x" b]))
            (Call (Call name=promote args=[a k]))
        "#]],
    );
}

#[test]
fn actions_in_a_header() {
    check_statements(
        r#"move put my stone on b, next me, reset clock, irreversible, set x = no, promote(b, k), pass
"#,
        expect![[r#"
            (Move
              actions=[
                (Act (Put man=(Man owner=My kind=stone) on=b))
                (Act (Next me))
                (Act (Reset clock))
                (Act Irreversible)
                (Act (Set cell=x op=Set value=no))
                (Call (Call name=promote args=[b k]))
                (Act Pass)])
        "#]],
    );
}

#[test]
fn write_takes_the_rest() {
    check_statements(
        r#"move a to b, write a, "x", b
"#,
        expect![[r#"
            (Move actions=[(Act (Go from=a to=b)) (Act (Write [a "x" b]))])
        "#]],
    );
}

#[test]
fn try_steps() {
    check_statements(
        r#"try a to b, take c
  jump(b, way + d)
try take c: jump(b, way)
"#,
        expect![[r#"
            (Try
              actions=[(Act (Go from=a to=b)) (Act (Take c))]
              body=[(Call (Call name=jump args=[b (Binary Add way d)]))])
            (Try actions=[(Act (Take c))] body=[(Call (Call name=jump args=[b way]))])
        "#]],
    );
}

#[test]
fn calls() {
    check_statements(
        r#"slide(a, orthogonal)
slide(a, []) as opponent
step()
"#,
        expect![[r#"
            (Call (Call name=slide args=[a orthogonal]))
            (Call (Call name=slide args=[a (List [])] as_player=opponent))
            (Call (Call name=step))
        "#]],
    );
}

#[test]
fn words_that_are_names_too() {
    check_statements(
        r#"let set = 3
set = 4
take to b
next becomes king
score = 2
pass += 1
write.north to x
"#,
        expect![[r#"
            (Let name=set value=3)
            (Assign name=set op=Set value=4)
            (Act (Go from=take to=b))
            (Act (Become at=next man=king))
            (Assign name=score op=Set value=2)
            (Assign name=pass op=Add value=1)
            (Act (Go from=(Member write north) to=x))
        "#]],
    );
}

#[test]
fn precedence_of_truth() {
    check_expression(
        r#"not a or b and not c == d"#,
        expect![[r#"
            (Binary Or (Unary Not a) (Binary And b (Unary Not (Binary Eq c d))))
        "#]],
    );
}

#[test]
fn precedence_of_sets() {
    check_expression(
        r#"a | b & c - d + e"#,
        expect![[r#"
            (Binary Union a (Binary Intersection b (Binary Add (Binary Sub c d) e)))
        "#]],
    );
}

#[test]
fn precedence_of_numbers() {
    check_expression(
        r#"1 + 2 * -3 - 4 / 5 % 6"#,
        expect![[r#"
            (Binary Sub (Binary Add 1 (Binary Mul 2 (Unary Neg 3))) (Binary Rem (Binary Div 4 5) 6))
        "#]],
    );
}

#[test]
fn comparisons() {
    check_expression(
        r#"a < b and c >= d or e != f and g <= h and i > j"#,
        expect![[r#"
            (Binary
              Or
              (Binary And (Binary Lt a b) (Binary Ge c d))
              (Binary And (Binary And (Binary Ne e f) (Binary Le g h)) (Binary Gt i j)))
        "#]],
    );
}

#[test]
fn membership() {
    check_expression(
        r#"a in far and b not in near | far"#,
        expect![[r#"
            (Binary And (Binary In a far) (Binary NotIn b (Binary Union near far)))
        "#]],
    );
}

#[test]
fn any_and_no() {
    check_expression(
        r#"any mine & far | near and no theirs == no"#,
        expect![[r#"
            (Binary
              And
              (Unary Any (Binary Union (Binary Intersection mine far) near))
              (Binary Eq (Unary No theirs) no))
        "#]],
    );
}

#[test]
fn no_as_a_value() {
    check_expression(
        r#"[no, no reply, no mine, no (a), no {a}, no ~a, no my pawn, not no]"#,
        expect![[r#"
            (List
              [
                no
                NoReply
                (Unary No mine)
                (Unary No a)
                (Unary No (Set [a]))
                (Unary No (Unary Complement a))
                (Unary No (Pattern (Pattern owner=My kinds=[pawn])))
                (Unary Not no)])
        "#]],
    );
}

#[test]
fn is_patterns() {
    check_expression(
        r#"a is empty or a is not mine or a is my pawn or a is their (rook, queen) or a is (rook, queen) or a is White pawn or a is p k or a is not rook or b.north is b.kind"#,
        expect![[r#"
            (Binary
              Or
              (Binary
                Or
                (Binary
                  Or
                  (Binary
                    Or
                    (Binary
                      Or
                      (Binary
                        Or
                        (Binary
                          Or
                          (Binary
                            Or
                            (Is square=a pattern=(Pattern kinds=[empty]))
                            (Is square=a pattern=(Pattern kinds=[mine]) negated=true))
                          (Is square=a pattern=(Pattern owner=My kinds=[pawn])))
                        (Is square=a pattern=(Pattern owner=Their kinds=[rook queen])))
                      (Is square=a pattern=(Pattern kinds=[rook queen])))
                    (Is square=a pattern=(Pattern owner=(Player White) kinds=[pawn])))
                  (Is square=a pattern=(Pattern owner=(Player p) kinds=[k])))
                (Is square=a pattern=(Pattern kinds=[rook]) negated=true))
              (Is square=(Member b north) pattern=(Pattern kinds=[(Member b kind)])))
        "#]],
    );
}

#[test]
fn patterns_alone() {
    check_expression(
        r#"[my pawn, their (rook, queen), White pawn, p k, mine, my pawn & far, a.owner pawn, (rook, bishop, queen)]"#,
        expect![[r#"
            (List
              [
                (Pattern (Pattern owner=My kinds=[pawn]))
                (Pattern (Pattern owner=Their kinds=[rook queen]))
                (Pattern (Pattern owner=(Player White) kinds=[pawn]))
                (Pattern (Pattern owner=(Player p) kinds=[k]))
                mine
                (Binary Intersection (Pattern (Pattern owner=My kinds=[pawn])) far)
                (Pattern (Pattern owner=(Player (Member a owner)) kinds=[pawn]))
                (Pattern (Pattern kinds=[rook bishop queen]))])
        "#]],
    );
}

#[test]
fn members_and_indices() {
    check_expression(
        r#"a.forward.left.empty + hand[me][a.kind] - -a.file"#,
        expect![[r#"
            (Binary
              Sub
              (Binary
                Add
                (Member (Member (Member a forward) left) empty)
                (Index (Index hand me) (Member a kind)))
              (Unary Neg (Member a file)))
        "#]],
    );
}

#[test]
fn calls_and_as() {
    check_expression(
        r#"attacked(s, me) as opponent and at(1, 2) == f()"#,
        expect![[r#"
            (Binary
              And
              (Call name=attacked args=[s me] as_player=opponent)
              (Binary Eq (Call name=at args=[1 2]) (Call name=f)))
        "#]],
    );
}

#[test]
fn steps_and_groups() {
    check_expression(
        r#"[(1,2), ((1), -n), (a), (a + b)]"#,
        expect![[r#"
            (List [(Step 1 2) (Step 1 (Unary Neg n)) a (Binary Add a b)])
        "#]],
    );
}

#[test]
fn sets_and_lists() {
    check_expression(
        r#"[{}, {a1, b2}, [], [x,], at(
  1,
  2,
)]"#,
        expect![[r#"
            (List [(Set []) (Set [a1 b2]) (List []) (List [x]) (Call name=at args=[1 2])])
        "#]],
    );
}

#[test]
fn literals() {
    check_expression(
        r#"[12, 1_000, 0.5, "text # no comment", yes, none]"#,
        expect![[r#"
            (List [12 1000 0.5 "text # no comment" yes none])
        "#]],
    );
}

#[test]
fn could_take() {
    check_expression(
        r#"they could take king and not we could take pawn"#,
        expect![[r#"
            (Binary And (CouldTake they=true kind=king) (Unary Not (CouldTake kind=pawn)))
        "#]],
    );
}

#[test]
fn joining_words_as_kinds() {
    check_expression(
        r#"[White seed, p weight] + n"#,
        expect![[r#"
            (Binary
              Add
              (List
                [
                  (Pattern (Pattern owner=(Player White) kinds=[seed]))
                  (Pattern (Pattern owner=(Player p) kinds=[weight]))])
              n)
        "#]],
    );
}
