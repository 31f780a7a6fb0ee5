//! Every planted bug is caught by a bounded run, every oracle that judges a codec's subjects is needed, and every
//! exhibit says where its bug was reported.

use bytetwin::hunt::Method;
use bytetwin::oracle::Oracle;
use bytetwin::registry::CODECS;
use std::collections::{BTreeMap, BTreeSet};

/// Most inputs of a hunt. The median of a caught bug is far below.
const LIMIT: u64 = 30_000;

#[test]
fn every_planted_bug_is_caught_by_a_bounded_run() {
    let mut missed = Vec::new();
    for codec in CODECS {
        for label in codec.exhibits() {
            for seed in [1, 2] {
                if codec.hunt(label.name, &Method::Random { seed, limit: LIMIT }, &Oracle::ALL).is_none() {
                    missed.push(format!("{} {} seed {seed}: {}", codec.name(), label.name, label.fault));
                }
            }
        }
    }
    assert!(missed.is_empty(), "not caught within {LIMIT} inputs:\n{}", missed.join("\n"));
}

#[test]
fn each_oracle_catches_a_bug_that_no_other_oracle_catches() {
    let mut alone: BTreeMap<Oracle, Vec<&str>> = BTreeMap::new();
    for codec in CODECS {
        for label in codec.exhibits() {
            let hunt = |oracle| codec.hunt(label.name, &Method::Random { seed: 3, limit: 1500 }, &[oracle]);
            let caught: Vec<Oracle> = Oracle::ALL.into_iter().filter(|oracle| hunt(*oracle).is_some()).collect();
            if let [only] = caught[..] {
                alone.entry(only).or_default().push(label.name);
            }
        }
    }
    let without: Vec<_> = Oracle::ALL.into_iter().filter(|oracle| !alone.contains_key(oracle)).collect();
    assert!(without.is_empty(), "{without:?} are never alone; caught alone: {alone:?}");
}

#[test]
fn every_exhibit_has_a_name_of_its_own_and_cites_a_report() {
    let mut names = BTreeSet::new();
    for codec in CODECS {
        for label in codec.exhibits() {
            assert!(names.insert((codec.name(), label.name)), "{} is there twice", label.name);
            assert!(label.source.starts_with("https://"), "{} cites {:?}", label.name, label.source);
            assert!(label.fault.len() > 20, "{} does not say what it does", label.name);
        }
    }
}

#[test]
fn a_name_that_no_exhibit_has_is_not_caught() {
    for codec in CODECS {
        assert_eq!(codec.hunt("no such bug", &Method::Random { seed: 1, limit: 10 }, &Oracle::ALL), None);
    }
}
