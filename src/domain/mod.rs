//! What the harness knows of each codec: cases, borders, cells, fields, subjects. One folder per codec.
