//! The values that the files of parquet-testing must give.

/// Columns of cells; what is nothing at all, not even quotes, is a null.
pub fn columns(text: &str) -> Vec<Vec<Option<String>>> {
    let mut columns: Vec<Vec<Option<String>>> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let cells = cells(line);
        if number == 0 {
            columns.resize(cells.len(), Vec::new());
            continue;
        }
        assert_eq!(cells.len(), columns.len(), "line {}", number + 1);
        columns.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell));
    }
    columns
}

fn cells(line: &str) -> Vec<Option<String>> {
    let mut cells = Vec::new();
    let mut rest = line;
    loop {
        let (cell, after) = match rest.strip_prefix('"') {
            Some(quoted) => {
                let end = quoted.find('"').expect("a closing quote");
                (Some(quoted[..end].to_string()), &quoted[end + 1..])
            }
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                ((end > 0).then(|| rest[..end].to_string()), &rest[end..])
            }
        };
        cells.push(cell);
        match after.strip_prefix(',') {
            Some(after) => rest = after,
            None => return cells,
        }
    }
}

#[test]
fn a_null_is_no_empty_text() {
    let read = columns("\"a\",b\n\"x, y\",1\n\"\",2\n,3\n");
    assert_eq!(read[0], [Some("x, y".to_string()), Some(String::new()), None]);
    assert_eq!(read[1], [Some("1".to_string()), Some("2".to_string()), Some("3".to_string())]);
}
