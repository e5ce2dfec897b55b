//! Process groups: an engine and all processes that it starts.

#[cfg(unix)]
pub(super) use unix::{Group, lead};

#[cfg(not(unix))]
pub(super) use other::{Group, lead};

#[cfg(unix)]
mod unix {
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

    /// Makes the process the leader of a group of its own.
    pub(crate) fn lead(command: &mut Command) {
        command.process_group(0);
    }

    /// The group that an engine leads.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Group(Option<Pid>);

    impl Group {
        /// The group of a child that leads one.
        pub(crate) fn of(child: &Child) -> Self {
            Self(i32::try_from(child.id()).ok().and_then(Pid::from_raw))
        }

        /// Whether its leader has exited. This does not reap it: its process id stays taken.
        pub(crate) fn has_exited(self, _: &mut Child) -> bool {
            let Some(pid) = self.0 else { return true };
            let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            !matches!(waitid(WaitId::Pid(pid), look), Ok(None))
        }

        /// Kills all of it. The leader must not have been reaped.
        pub(crate) fn kill(self, child: &mut Child) {
            if let Some(pid) = self.0 {
                let _ = kill_process_group(pid, Signal::KILL);
            }
            let _ = child.kill();
        }
    }
}

#[cfg(not(unix))]
mod other {
    use std::process::{Child, Command};

    /// There are no process groups on this system.
    pub(crate) fn lead(_: &mut Command) {}

    /// The engine alone.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Group;

    impl Group {
        /// The group of a child.
        pub(crate) fn of(_: &Child) -> Self {
            Self
        }

        /// Whether it has exited.
        pub(crate) fn has_exited(self, child: &mut Child) -> bool {
            !matches!(child.try_wait(), Ok(None))
        }

        /// Kills it.
        pub(crate) fn kill(self, child: &mut Child) {
            let _ = child.kill();
        }
    }
}
