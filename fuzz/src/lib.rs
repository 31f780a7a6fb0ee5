//! Placeholder until the targets arrive.
