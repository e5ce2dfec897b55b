//! The n-th bit of a word by one machine instruction, where the machine has it.
//!
//! The library that makes native code has no such instruction, so it is called; that
//! is still faster than a search through the bytes of a word.

/// The name that native code calls it by.
pub(crate) const DEPOSIT: &str = "deposit";

/// Bits handed out, lowest first, to the places where `word` has ones.
pub(crate) type Deposit = unsafe extern "C" fn(bits: u64, word: u64) -> u64;

/// The instruction as a function, if this machine does it fast.
#[cfg(target_arch = "x86_64")]
pub(crate) fn deposit() -> Option<Deposit> {
    (std::arch::is_x86_feature_detected!("bmi2") && !by_microcode()).then_some(pdep as Deposit)
}

/// The instruction as a function, if this machine does it fast.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn deposit() -> Option<Deposit> {
    None
}

/// The instruction itself.
///
/// # Safety
///
/// The machine must have BMI2: [`deposit`] gives it away only there.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
unsafe extern "C" fn pdep(bits: u64, word: u64) -> u64 {
    std::arch::x86_64::_pdep_u64(bits, word)
}

/// Whether this is one of the processors that do it bit by bit: AMD's before family 0x19.
#[cfg(target_arch = "x86_64")]
fn by_microcode() -> bool {
    let vendor = std::arch::x86_64::__cpuid(0);
    let signature = std::arch::x86_64::__cpuid(1).eax;
    let family = (signature >> 8 & 0xf) + (signature >> 20 & 0xff);
    let intel = vendor.ebx == u32::from_le_bytes(*b"Genu");
    !intel && family < 0x19
}
