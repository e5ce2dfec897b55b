//! Path conditions: under which answers a place in the code is reached.
//!
//! Each path to a block of code without loops is a list of answers: "yes to
//! the first question and no to the third". Where paths meet that differ in one
//! answer only, that question no longer matters.

/// The paths to a place: for each the answers, questions in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathConditions<Q>(Vec<Vec<(Q, bool)>>);

/// More ways than this are not followed.
const MOST_PATHS: usize = 8;

impl<Q: Copy + Ord> PathConditions<Q> {
    /// Whatever the answers.
    pub(crate) fn always() -> Self {
        Self(vec![Vec::new()])
    }

    /// The answers of each way.
    pub(crate) fn all(&self) -> impl Iterator<Item = &[(Q, bool)]> {
        self.0.iter().map(Vec::as_slice)
    }

    /// The ways that go on with one more answer.
    pub(crate) fn and(&self, question: Q, answer: bool) -> Self {
        let mut ways = self.0.clone();
        ways.retain(|way| !way.contains(&(question, !answer)));
        for way in &mut ways {
            if !way.contains(&(question, answer)) {
                way.push((question, answer));
                way.sort_unstable();
            }
        }
        Self(ways)
    }

    /// These ways and others; `None` if there are too many.
    pub(crate) fn or(mut self, other: Self) -> Option<Self> {
        other.0.into_iter().for_each(|way| self.add(way));
        (self.0.len() <= MOST_PATHS).then_some(self)
    }

    fn add(&mut self, way: Vec<(Q, bool)>) {
        let holds = |all: &[(Q, bool)], some: &[(Q, bool)]| some.iter().all(|it| all.contains(it));
        if self.0.iter().any(|it| holds(&way, it)) {
            return;
        }
        self.0.retain(|it| !holds(it, &way));
        let joined = self.0.iter().enumerate().find_map(|(at, it)| Some((at, joined(it, &way)?)));
        match joined {
            Some((at, joined)) => {
                self.0.remove(at);
                self.add(joined);
            }
            None => self.0.push(way),
        }
    }
}

/// Two ways that differ in one answer only, without that question.
fn joined<Q: Copy + Ord>(one: &[(Q, bool)], other: &[(Q, bool)]) -> Option<Vec<(Q, bool)>> {
    let mut differ = one.iter().zip(other).filter(|(a, b)| a != b);
    let (a, b) = differ.next()?;
    let alike = one.len() == other.len() && a.0 == b.0 && differ.next().is_none();
    alike.then(|| one.iter().copied().filter(|it| it != a).collect())
}

#[cfg(test)]
mod tests {
    use super::PathConditions;

    #[test]
    fn an_answer_that_does_not_matter_is_forgotten() {
        let start = PathConditions::always();
        let (yes, no) = (start.and(1, true), start.and(1, false));
        let deep = yes.and(2, true).or(yes.and(2, false)).expect("two ways");
        assert_eq!(deep, yes);
        assert_eq!(deep.or(no), Some(start));
    }

    #[test]
    fn contrary_answers_lead_nowhere() {
        let start: PathConditions<u8> = PathConditions::always();
        assert_eq!(start.and(1, true).and(1, false), PathConditions(Vec::new()));
        assert_eq!(start.and(1, true).and(1, true), start.and(1, true));
    }
}
