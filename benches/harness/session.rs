//! How a bench run is set up: arguments, fair settings of the allocator, and the head of the output.

/// Settings of glibc's malloc under which it keeps freed memory. Without them, peers that allocate their result pay for
/// a page fault every 4 KiB, and would look two to ten times slower than they are in a long-lived process.
const FAIR_MALLOC: [(&str, &str); 2] =
    [("MALLOC_MMAP_THRESHOLD_", "1073741824"), ("MALLOC_TRIM_THRESHOLD_", "4294967296")];

/// The arguments of this run: `--quick` (a smoke test: few and short rounds) and words that a table's name must contain
/// one of.
pub struct Session {
    quick: bool,
    words: Vec<String>,
}

impl Session {
    /// Starts the bench `name`: sees to fair malloc settings (by starting this program again), prints the head.
    pub fn start(name: &str) -> Self {
        ensure_fair_malloc();
        let args: Vec<String> = std::env::args().skip(1).collect();
        let quick = args.iter().any(|a| a == "--quick");
        let words = args.into_iter().filter(|a| !a.starts_with('-')).collect();
        let session = Self { quick, words };
        println!("## {name}\n");
        println!("* {} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        println!("* processor: {}", processor());
        println!("* ns/value: the fastest of {} interleaved samples; ratios within a case", 2 * session.rounds(0));
        println!("* GB/s: bytes read plus bytes written; memcpy: copies half of these bytes");
        for (key, _) in FAIR_MALLOC {
            println!("* {key}={} (fair to peers that allocate)", std::env::var(key).unwrap_or("unset".into()));
        }
        if quick {
            println!("* --quick: a smoke test, not a measurement");
        }
        session
    }

    /// Whether this is a smoke test: benches then take smaller inputs, too.
    pub fn quick(&self) -> bool {
        self.quick
    }

    /// Whether the table of this name was asked for.
    pub fn wants(&self, table: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|w| table.contains(w.as_str()))
    }

    pub(super) fn rounds(&self, traffic: usize) -> usize {
        match (self.quick, traffic > 8 << 20) {
            (true, _) => 1,
            (false, true) => 9,
            (false, false) => 31,
        }
    }

    pub(super) fn sample_ns(&self) -> f64 {
        if self.quick { 1.0 } else { 60_000.0 }
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn ensure_fair_malloc() {
    use std::os::unix::process::CommandExt;
    if FAIR_MALLOC.iter().all(|(key, _)| std::env::var_os(key).is_some()) {
        return;
    }
    let program = std::env::current_exe().expect("the path of this program");
    let unset = FAIR_MALLOC.into_iter().filter(|(key, _)| std::env::var_os(key).is_none());
    let error = std::process::Command::new(program).args(std::env::args_os().skip(1)).envs(unset).exec();
    panic!("cannot start again with fair malloc settings: {error}");
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn ensure_fair_malloc() {}

fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|l| l.strip_prefix("model name")?.split_once(": "));
    model.map_or_else(|| std::env::consts::ARCH.to_string(), |(_, name)| name.to_string())
}
