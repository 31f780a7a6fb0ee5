//! The twins of DELTA_BINARY_PACKED.

use super::{DeltaBinaryPacked, Params, Values};
use crate::case::Step;
use crate::codec::delta_binary_packed::{
    Geometry, Integer, PageReader, PageWriter, decode_into_with, encode_into_with, encoded_len_with, naive,
};
use crate::codec::path::Path;
use crate::error::{DecodeError, EncodeError};
use crate::subject::museum::Exhibit;
use crate::subject::{Answer, Subject, Twins};

/// Encoders that are kept from case to case, one for each of the last few geometries.
const KEPT: usize = 8;

/// Reads a page in steps.
trait Reader<T> {
    fn remaining(&self) -> usize;
    fn get(&mut self, out: &mut [T]) -> Result<usize, DecodeError>;
    fn skip(&mut self, count: usize) -> Result<usize, DecodeError>;
    fn consumed(&self) -> usize;
}

macro_rules! reader {
    ($reader:ty) => {
        impl<T: Integer> Reader<T> for $reader {
            fn remaining(&self) -> usize {
                Self::remaining(self)
            }
            fn get(&mut self, out: &mut [T]) -> Result<usize, DecodeError> {
                Self::get(self, out)
            }
            fn skip(&mut self, count: usize) -> Result<usize, DecodeError> {
                Self::skip(self, count)
            }
            fn consumed(&self) -> usize {
                Self::consumed(self)
            }
        }
    };
}

reader!(PageReader<'_, T>);
reader!(naive::PageReader<'_, T>);

fn take_steps<T: Integer>(reader: &mut impl Reader<T>, steps: &[Step], out: &mut Vec<T>) -> Result<usize, DecodeError> {
    let take = |reader: &mut dyn Reader<T>, count: usize, out: &mut Vec<T>| {
        let start = out.len();
        out.resize(start + count.min(reader.remaining()), T::default());
        let got = reader.get(&mut out[start..])?;
        out.truncate(start + got);
        Ok(())
    };
    for step in steps {
        match *step {
            Step::Get(count) => take(reader, count.into(), out)?,
            Step::Skip(count) => {
                let (count, left) = (usize::from(count), reader.remaining());
                assert_eq!(reader.skip(count)?, count.min(left), "skip says how many it skipped");
            }
        }
    }
    take(reader, usize::MAX, out)?;
    Ok(reader.consumed())
}

struct Naive;

impl Naive {
    fn read<T: Integer>(bytes: &[u8], max: usize, steps: &[Step], out: &mut Vec<T>) -> Result<usize, DecodeError> {
        let mut reader = naive::PageReader::<T>::new(bytes)?;
        if reader.len() > max {
            return Err(DecodeError::TooManyValues { count: reader.len(), max });
        }
        take_steps(&mut reader, steps, out)
    }
}

impl Subject<DeltaBinaryPacked> for Naive {
    fn name(&self) -> &str {
        "naive"
    }

    fn encoded_len(&mut self, params: &Params, values: &Values) -> Answer<EncodeError> {
        Answer::Done(match values {
            Values::I32(list) => naive::encoded_len(list, params.layout.geometry::<i32>()),
            Values::I64(list) => naive::encoded_len(list, params.layout.geometry::<i64>()),
        })
    }

    fn encode(&mut self, params: &Params, values: &Values, _puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        Answer::of(match values {
            Values::I32(list) => naive::encode_into(list, params.layout.geometry::<i32>(), out),
            Values::I64(list) => naive::encode_into(list, params.layout.geometry::<i64>(), out),
        })
    }

    fn decode(&mut self, params: &Params, bytes: &[u8], steps: &[Step], values: &mut Values) -> Answer<DecodeError> {
        values.clear(params.kind);
        Answer::of(match values {
            Values::I32(list) => Self::read(bytes, params.max_values as usize, steps, list),
            Values::I64(list) => Self::read(bytes, params.max_values as usize, steps, list),
        })
    }
}

/// Fast, by one path. Its writers live as long as it does.
struct Fast {
    path: Path,
    name: String,
    writers_i32: Vec<(Geometry, PageWriter<i32>)>,
    writers_i64: Vec<(Geometry, PageWriter<i64>)>,
}

/// One put after another, with questions between them that must not change anything.
fn put_all<T: Integer>(
    path: Path,
    writers: &mut Vec<(Geometry, PageWriter<T>)>,
    geometry: Geometry,
    values: &[T],
    puts: &[u16],
    out: &mut [u8],
) -> Result<usize, EncodeError> {
    let at = writers.iter().position(|(known, _)| *known == geometry).unwrap_or_else(|| {
        if writers.len() == KEPT {
            writers.remove(0);
        }
        writers.push((geometry, PageWriter::with_path(path, geometry)));
        writers.len() - 1
    });
    let writer = &mut writers[at].1;
    let mut rest = values;
    for put in puts {
        let (now, later) = rest.split_at(rest.len().min((*put).into()));
        writer.put(now);
        writer.encoded_len();
        // Too small for any page: the page goes on as if nothing had been asked.
        let refused = writer.finish_page(&mut []);
        debug_assert!(refused.is_err());
        rest = later;
    }
    writer.put(rest);
    let written = writer.finish_page(out);
    if written.is_err() {
        writer.reset();
    }
    written
}

fn read<T: Integer>(
    path: Path,
    bytes: &[u8],
    max: usize,
    steps: &[Step],
    out: &mut Vec<T>,
) -> Result<usize, DecodeError> {
    let mut reader = PageReader::<T>::with_path(path, bytes)?;
    if reader.len() > max {
        return Err(DecodeError::TooManyValues { count: reader.len(), max });
    }
    if steps.is_empty() {
        out.resize(reader.len(), T::default());
        let decoded = decode_into_with(path, bytes, out)?;
        out.truncate(decoded.values);
        return Ok(decoded.consumed);
    }
    // A page that was begun, and another one with the same reader.
    let _ = reader.get(&mut [T::default(); 3]);
    reader.reset(bytes)?;
    take_steps(&mut reader, steps, out)
}

impl Subject<DeltaBinaryPacked> for Fast {
    fn name(&self) -> &str {
        &self.name
    }

    fn encoded_len(&mut self, params: &Params, values: &Values) -> Answer<EncodeError> {
        Answer::Done(match values {
            Values::I32(list) => encoded_len_with(self.path, list, params.layout.geometry::<i32>()),
            Values::I64(list) => encoded_len_with(self.path, list, params.layout.geometry::<i64>()),
        })
    }

    fn encode(&mut self, params: &Params, values: &Values, puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        Answer::of(match values {
            Values::I32(list) => {
                let geometry = params.layout.geometry::<i32>();
                if puts.is_empty() {
                    encode_into_with(self.path, list, geometry, out)
                } else {
                    put_all(self.path, &mut self.writers_i32, geometry, list, puts, out)
                }
            }
            Values::I64(list) => {
                let geometry = params.layout.geometry::<i64>();
                if puts.is_empty() {
                    encode_into_with(self.path, list, geometry, out)
                } else {
                    put_all(self.path, &mut self.writers_i64, geometry, list, puts, out)
                }
            }
        })
    }

    fn decode(&mut self, params: &Params, bytes: &[u8], steps: &[Step], values: &mut Values) -> Answer<DecodeError> {
        values.clear(params.kind);
        let max = params.max_values as usize;
        Answer::of(match values {
            Values::I32(list) => read(self.path, bytes, max, steps, list),
            Values::I64(list) => read(self.path, bytes, max, steps, list),
        })
    }

    fn renew(&mut self) {
        self.writers_i32.clear();
        self.writers_i64.clear();
    }
}

impl Twins for DeltaBinaryPacked {
    fn naive() -> Box<dyn Subject<Self>> {
        Box::new(Naive)
    }

    fn subjects() -> Vec<Box<dyn Subject<Self>>> {
        let fast = |path: Path| {
            let name = format!("fast-{}", path.name());
            Box::new(Fast { path, name, writers_i32: Vec::new(), writers_i64: Vec::new() }) as Box<dyn Subject<Self>>
        };
        #[allow(unused_mut, reason = "some features bring no other implementation")]
        let mut subjects: Vec<_> = Path::available().map(fast).collect();
        #[cfg(feature = "parquet")]
        subjects.push(Box::new(crate::subject::parquet_rs::DeltaBitPack::default()));
        subjects
    }

    fn exhibits() -> Vec<Exhibit<Self>> {
        super::museum::exhibits()
    }
}
