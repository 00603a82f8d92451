//! A store.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

#[derive(Debug, Clone, PartialEq)]
pub enum Kind<'a> {
    Named { name: &'a str, size: usize },
    Pair(i32, char),
    Nothing,
}

pub trait Keep<K, V>: Send
where
    K: Ord + Clone,
{
    type Error: fmt::Display;

    fn put(&mut self, key: K, value: V) -> Result<(), Self::Error>;
}

pub struct Store<'a, K, V> {
    kept: BTreeMap<K, V>,
    label: &'a str,
}

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

impl<'a, K: Ord, V> Store<'a, K, V> {
    pub fn new(label: &'a str) -> Self {
        Self {
            kept: BTreeMap::new(),
            label,
        }
    }

    /// The label, or nothing.
    pub fn describe(&self, kind: &Kind<'_>) -> String {
        let raw = r#"a "raw" { text"#;
        match kind {
            Kind::Named { name, size } if *size > 3 => format!("{name}: {}", square!(*size)),
            Kind::Pair(_, '\'') | Kind::Pair(_, '{') => raw.to_string(),
            Kind::Pair(number, c) => {
                let mut total = 0u64;
                'outer: for i in 0..*number {
                    if i % 2 == 0 {
                        continue 'outer;
                    }
                    total += i as u64 << 2;
                }
                format!("{total}{c}")
            }
            _ => String::new(),
        }
    }

    pub fn longest(&self) -> Option<&K> {
        self.kept
            .iter()
            .filter(|(_, _)| self.label.len() > 3 && !self.label.is_empty())
            .map(|(key, _)| key)
            .max_by(|a, b| a.cmp(b))
    }
}

fn count(words: &[&str]) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in words {
        *counts.entry(word.to_lowercase()).or_insert(0) += 1;
    }
    counts
}
