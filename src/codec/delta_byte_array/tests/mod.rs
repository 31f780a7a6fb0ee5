//! The twins against each other, against bytes known to be right, and against hostile pages.

mod encode;
mod hostile;
mod read;
mod vectors;

use super::*;

/// The smallest geometry, which most writers take.
const SPEC: Geometry = Geometry::SPEC_128_4;

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

/// Decodes to Arrow form by `path`, and takes the values out.
fn decode_with(
    path: crate::codec::Path,
    page: &[u8],
    options: &DecodeOptions<'_>,
) -> Result<(Vec<Vec<u8>>, usize), crate::DecodeError> {
    let (mut offsets, mut data) = (vec![7_i32], vec![7; 3]);
    let consumed = decode_into_with(path, page, options, &mut Scratch::new(), &mut offsets, &mut data)?;
    assert_eq!((offsets[0], offsets[offsets.len() - 1] as usize), (0, data.len()));
    let values = offsets.windows(2).map(|pair| data[pair[0] as usize..pair[1] as usize].to_vec()).collect();
    Ok((values, consumed))
}

/// Reads one by one by `path`.
fn read_with(
    path: crate::codec::Path,
    page: &[u8],
    options: &DecodeOptions<'_>,
) -> Result<(Vec<Vec<u8>>, usize), crate::DecodeError> {
    let mut scratch = Scratch::new();
    let mut reader = PageReader::with_path(path, page, options, &mut scratch)?;
    let mut values = Vec::new();
    while let Some(value) = reader.next_value() {
        values.push(value.to_vec());
    }
    Ok((values, reader.consumed()))
}
