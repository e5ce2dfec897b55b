//! Walks inside a body: `while b is there: b = b + d`.
//!
//! Where a walk along `d` through a set ends is not known beforehand, but from
//! which squares it ends in a given set is: a slide from there the other way
//! (see `ends_in`).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::super::loops::Loop;
use super::super::members::Counted;
use super::body::{Body, Found, Scope};
use super::plane;
use super::sets::Set;
use super::value::{Env, Group, Num, Value, Walk, Way};
use crate::inst::{Block, Reg, Var};

/// A loop inside a body is gone through at most so often.
const MOST_ROUNDS: i64 = 16;

type Edge = (Block, Option<Set>, Env);

impl Body<'_> {
    /// Goes through an inner loop; gives the edges that leave it.
    pub(crate) fn inner_loop(&mut self, inner: &Loop, env: &Env) -> Option<Vec<Edge>> {
        if let Some(edges) = self.walk(inner, env) {
            return Some(edges);
        }
        if let Some(counted) = Counted::of(self.code, inner)
            && counted.bound <= MOST_ROUNDS
            && !self.scope.lenient
        {
            return self.rounds(inner, env);
        }
        self.opaque(inner, env)
    }

    /// A loop whose rounds are known beforehand: one after the other.
    fn rounds(&mut self, inner: &Loop, env: &Env) -> Option<Vec<Edge>> {
        let scope =
            Scope { blocks: inner.blocks.clone(), entry: (inner.header, 0), ..self.scope.clone() };
        let around = std::mem::replace(&mut self.scope, scope);
        let leaves = std::mem::take(&mut self.found.leaves);
        let mut ways = vec![(self.mask, env.clone())];
        let mut edges = Vec::new();
        let mut done = Some(());
        for _ in 0..=MOST_ROUNDS {
            let begin = self.meet(inner.header, &ways, &BTreeMap::new());
            done = begin.and_then(|(mask, env)| self.run(mask?, env));
            let (again, out): (Vec<Edge>, Vec<Edge>) = std::mem::take(&mut self.found.leaves)
                .into_iter()
                .filter(|it| !it.1.is_some_and(|mask| self.sets.is_empty(mask)))
                .partition(|it| it.0 == inner.header);
            edges.extend(out);
            ways = again.into_iter().map(|it| (it.1, it.2)).collect();
            if ways.is_empty() || done.is_none() {
                break;
            }
        }
        self.scope = around;
        self.found.leaves = leaves;
        done.filter(|()| ways.is_empty())?;
        Some(edges)
    }

    /// A loop that is not understood and does not decide where the way goes on.
    fn opaque(&mut self, inner: &Loop, env: &Env) -> Option<Vec<Edge>> {
        let exit = inner.exit().filter(|_| self.scope.lenient)?;
        let mut env = env.clone();
        let tries = self.tries;
        for &block in &inner.blocks {
            for (inst, _) in &self.code.function.block(block).insts {
                // Whatever it does must be undone by itself.
                self.inst(inst, 0, &mut env)?;
            }
        }
        if self.tries != tries {
            return None;
        }
        for var in self.code.assigned(&inner.blocks) {
            env.insert(var, unknown(var));
        }
        Some(vec![(exit, self.mask, env)])
    }

    fn walk(&mut self, inner: &Loop, env: &Env) -> Option<Vec<Edge>> {
        let assigned = self.code.assigned(&inner.blocks);
        let carried: BTreeSet<Var> =
            assigned.iter().copied().filter(|&it| self.code.wanted(inner.header, it)).collect();
        let walker = carried.iter().find_map(|&var| match (var, env.get(&var)) {
            (Var::Int(reg), Some(Value::Num(Num::Of(way)))) if way.path.is_some() => {
                Some((reg, Rc::clone(way)))
            }
            _ => None,
        });
        let (walker, first) = walker?;
        let scope = Scope {
            blocks: inner.blocks.clone(),
            entry: (inner.header, 0),
            carried: carried.clone(),
            assigned,
            home: self.scope.home,
            lenient: false,
            next: None,
        };
        let outside = self.seen_from_inside(env);
        let on = self.apart(&scope, &outside, walker, self.identity())?;
        let off = self.apart(&scope, &outside, walker, Num::Known(-1))?;
        let walk = Rc::new(self.read_walk(inner.header, walker, first, &on)?);
        self.leave(inner.header, walker, &walk, &on, &off, env, &scope)
    }

    /// What registers hold, for code in which the member is another.
    fn seen_from_inside(&self, env: &Env) -> Env {
        let vars = self.scope.assigned.iter().chain(self.outside.keys()).chain(env.keys());
        vars.map(|&var| {
            let value = env.get(&var).or_else(|| self.outside.get(&var));
            let kept = value.filter(|it| {
                matches!(
                    it,
                    Value::Num(Num::Known(_) | Num::Same(_)) | Value::Group(Group::Fixed(_))
                )
            });
            (var, kept.cloned().unwrap_or_else(|| unknown(var)))
        })
        .collect()
    }

    /// Goes through the blocks of a loop with the walker as the member.
    fn apart(&mut self, scope: &Scope, outside: &Env, walker: Reg, at: Num) -> Option<Found> {
        let mut outside = outside.clone();
        for var in &scope.assigned {
            outside.remove(var);
        }
        let all = self.sets.all();
        let saved_scope = std::mem::replace(&mut self.scope, scope.clone());
        let saved_outside = std::mem::replace(&mut self.outside, outside);
        let saved_found = std::mem::take(&mut self.found);
        let saved_mask = self.mask;
        let done = self.run(all, Env::from([(walker.into(), Value::Num(at))]));
        self.scope = saved_scope;
        self.outside = saved_outside;
        self.mask = saved_mask;
        let found = std::mem::replace(&mut self.found, saved_found);
        done?;
        found.acts.is_empty().then_some(found)
    }

    /// What the walk goes through, and which way.
    fn read_walk(
        &mut self,
        header: Block,
        walker: Reg,
        first: Rc<Way>,
        on: &Found,
    ) -> Option<Walk> {
        let mut through = self.sets.none();
        let mut direction = None;
        for (to, mask, env) in &on.leaves {
            if *to != header {
                continue;
            }
            let Some(Value::Num(Num::Of(next))) = env.get(&walker.into()) else { return None };
            let Some(&[dir]) = next.path.as_deref() else { return None };
            if direction.is_some_and(|it| it != dir) {
                return None;
            }
            direction = Some(dir);
            through = self.sets.or(through, (*mask)?);
        }
        let dir = direction?;
        plane::ends(self.program, dir).then_some(Walk { first, through, dir })
    }

    #[allow(clippy::too_many_arguments, reason = "all that is known of one walk")]
    fn leave(
        &mut self,
        header: Block,
        walker: Reg,
        walk: &Rc<Walk>,
        on: &Found,
        off: &Found,
        env: &Env,
        scope: &Scope,
    ) -> Option<Vec<Edge>> {
        let mask = self.mask?;
        // Off the board there is one way out.
        let [(off_exit, _, _)] = off.leaves[..] else { return None };
        if off_exit == header {
            return None;
        }
        let stands = |env: &Env| {
            matches!(env.get(&walker.into()), Some(Value::Num(Num::Of(way)))
                if way.path == Some(Vec::new()))
        };
        let exits: Vec<&Edge> = on.leaves.iter().filter(|it| it.0 != header).collect();
        if !exits.iter().all(|it| stands(&it.2)) {
            return None;
        }
        let after = self.after_walk(header, walker, walk, on, env, scope);
        let targets: BTreeSet<Block> = exits.iter().map(|it| it.0).chain([off_exit]).collect();
        if targets.len() == 1 {
            return Some(vec![(off_exit, Some(mask), after)]);
        }
        let mut edges = Vec::new();
        for &target in &targets {
            let mut there = self.sets.none();
            for exit in exits.iter().filter(|it| it.0 == target) {
                there = self.sets.or(there, exit.1?);
            }
            let mut members = self.ends_in(walk, there)?;
            if target == off_exit {
                let all = self.sets.all();
                let on_board = self.ends_in(walk, all)?;
                let lost = self.sets.complement(on_board);
                members = self.sets.or(members, lost);
            }
            let members = self.sets.and(mask, members);
            edges.push((target, Some(members), after.clone()));
        }
        Some(edges)
    }

    /// What the registers hold after the walk.
    fn after_walk(
        &mut self,
        header: Block,
        walker: Reg,
        walk: &Rc<Walk>,
        on: &Found,
        env: &Env,
        scope: &Scope,
    ) -> Env {
        let mut after = env.clone();
        for &var in &scope.assigned {
            let gathered = matches!(var, Var::Set(reg) if on.leaves.iter().all(|(to, _, at)| {
                match at.get(&var) {
                    Some(Value::Group(Group::Grown(from))) => *to == header && *from == reg,
                    Some(Value::Group(Group::Start(from))) => *to != header && *from == reg,
                    None => *to != header,
                    _ => false,
                }
            }));
            let began_empty = matches!(env.get(&var), Some(Value::Group(Group::Fixed(set)))
                if self.sets.is_empty(*set));
            let value = if gathered && began_empty && scope.carried.contains(&var) {
                Value::Group(Group::Walked(Rc::clone(walk)))
            } else {
                unknown(var)
            };
            after.insert(var, value);
        }
        after.insert(walker.into(), Value::Num(Num::End(Rc::clone(walk))));
        after
    }
}

fn unknown(var: Var) -> Value {
    match var {
        Var::Set(_) => Value::Group(Group::Unknown),
        _ => Value::Num(Num::Unknown),
    }
}
