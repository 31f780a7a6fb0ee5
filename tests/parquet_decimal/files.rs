//! Files around pages of ours, built with the crate's own page writer; and the pages of any file.

use bytes::Bytes;
use bytetwin::codec::decimal::{Column, ColumnOptions, I256, Physical, Values, encode_into_with, encoded_len, order};
use bytetwin::codec::path::Path;
use num_bigint::BigInt;
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as PhysicalType};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::statistics::{Statistics, ValueStatistics};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::Type;
use std::sync::Arc;

/// A column of a file: unscaled values, `None` for null.
pub struct Written {
    pub column: Column,
    pub nullable: bool,
    pub values: Vec<Option<BigInt>>,
}

impl Written {
    pub fn new(column: Column, values: impl IntoIterator<Item = BigInt>) -> Self {
        Self { column, nullable: false, values: values.into_iter().map(Some).collect() }
    }

    /// The page that our encoder writes, on one path, from the widest integers that hold the values.
    fn page(&self, path: Path) -> Vec<u8> {
        let present: Vec<BigInt> = self.values.iter().flatten().cloned().collect();
        let encode = |values: Values<'_>| {
            let options = ColumnOptions::default();
            let mut out = vec![0xa5; encoded_len(values, &self.column, options).expect("within the column")];
            let written = encode_into_with(path, values, &self.column, options, &mut out);
            assert_eq!(written, Ok(out.len()), "{}", self.column);
            out
        };
        let narrow: Option<Vec<i128>> = present.iter().map(|value| value.try_into().ok()).collect();
        let wide: Option<Vec<I256>> = present.iter().map(|value| value.try_into().ok()).collect();
        let page = encode((&present).into());
        if let Some(wide) = wide {
            assert!(encode((&wide).into()) == page, "{}: i256 writes other bytes than BigInt", self.column);
        }
        if let Some(narrow) = narrow {
            assert!(encode((&narrow).into()) == page, "{}: i128 writes other bytes than BigInt", self.column);
        }
        page
    }

    fn schema(&self, name: &str) -> Type {
        let (physical, length) = match self.column.physical() {
            Physical::Int32 => (PhysicalType::INT32, -1),
            Physical::Int64 => (PhysicalType::INT64, -1),
            Physical::Fixed(width) => (PhysicalType::FIXED_LEN_BYTE_ARRAY, width as i32),
            Physical::ByteArray => (PhysicalType::BYTE_ARRAY, -1),
        };
        let (precision, scale) = (self.column.precision() as i32, self.column.scale() as i32);
        Type::primitive_type_builder(name, physical)
            .with_logical_type(Some(LogicalType::decimal(scale, precision)))
            .with_precision(precision)
            .with_scale(scale)
            .with_length(length)
            .with_repetition(if self.nullable { Repetition::OPTIONAL } else { Repetition::REQUIRED })
            .build()
            .expect("a column of the specification is one of the crate")
    }

    /// Definition levels of a nullable column: 0 for null. The RLE form, one run for each change, behind its length.
    fn levels(&self) -> Vec<u8> {
        if !self.nullable {
            return Vec::new();
        }
        let mut runs: Vec<u8> = Vec::new();
        for run in self.values.chunk_by(|a, b| a.is_some() == b.is_some()) {
            let mut header = (run.len() as u64) << 1;
            while header >= 0x80 {
                runs.push(header as u8 | 0x80);
                header >>= 7;
            }
            runs.push(header as u8);
            runs.push(run[0].is_some().into());
        }
        let mut levels = (runs.len() as u32).to_le_bytes().to_vec();
        levels.extend(runs);
        levels
    }

    /// Bounds by our order of encoded values.
    fn statistics(&self, page: &[u8]) -> Option<Statistics> {
        let bounds = order::min_max(page, &self.column).expect("our own page")?;
        let nulls = Some(self.values.iter().filter(|value| value.is_none()).count() as u64);
        let (min, max) = (bounds.min.to_vec(), bounds.max.to_vec());
        Some(match self.column.physical() {
            Physical::Int32 => {
                let number = |bytes: Vec<u8>| Some(i32::from_le_bytes(bytes.try_into().expect("4 bytes")));
                Statistics::Int32(ValueStatistics::new(number(min), number(max), None, nulls, false))
            }
            Physical::Int64 => {
                let number = |bytes: Vec<u8>| Some(i64::from_le_bytes(bytes.try_into().expect("8 bytes")));
                Statistics::Int64(ValueStatistics::new(number(min), number(max), None, nulls, false))
            }
            Physical::Fixed(_) => {
                let bytes = |bytes: Vec<u8>| Some(parquet::data_type::ByteArray::from(bytes).into());
                Statistics::FixedLenByteArray(ValueStatistics::new(bytes(min), bytes(max), None, nulls, false))
            }
            Physical::ByteArray => {
                Statistics::ByteArray(ValueStatistics::new(Some(min.into()), Some(max.into()), None, nulls, false))
            }
        })
    }
}

/// A file of one row group: every column in pages of at most `rows` values, which our encoder writes on `path`.
pub fn file(columns: &[Written], rows: usize, path: Path) -> Bytes {
    let fields = columns.iter().enumerate().map(|(at, column)| Arc::new(column.schema(&format!("c{at}")))).collect();
    let schema = Arc::new(Type::group_type_builder("schema").with_fields(fields).build().expect("a schema"));
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Default::default()).expect("a writer");
    let mut group = file.next_row_group().expect("a row group");
    let descriptors = group_descriptors(columns);
    for (column, descriptor) in columns.iter().zip(descriptors) {
        let mut sink = TrackedWrite::new(Vec::new());
        let mut pages = SerializedPageWriter::new(&mut sink);
        for values in column.values.chunks(rows.max(1)) {
            let part = Written { column: column.column, nullable: column.nullable, values: values.to_vec() };
            let mut buffer = part.levels();
            buffer.extend(part.page(path));
            let length = buffer.len();
            let page = Page::DataPage {
                buf: buffer.into(),
                num_values: values.len() as u32,
                encoding: Encoding::PLAIN,
                def_level_encoding: Encoding::RLE,
                rep_level_encoding: Encoding::RLE,
                statistics: None,
            };
            pages.write_page(CompressedPage::new(page, length)).expect("a page");
        }
        pages.close().expect("closed");
        let chunk = sink.into_inner().expect("flushed");
        let mut metadata = ColumnChunkMetaData::builder(descriptor)
            .set_compression(Compression::UNCOMPRESSED)
            .set_encodings(vec![Encoding::PLAIN, Encoding::RLE])
            .set_num_values(column.values.len() as i64)
            .set_total_compressed_size(chunk.len() as i64)
            .set_total_uncompressed_size(chunk.len() as i64)
            .set_data_page_offset(0);
        if let Some(statistics) = column.statistics(&column.page(path)) {
            metadata = metadata.set_statistics(statistics);
        }
        let close = ColumnCloseResult {
            bytes_written: chunk.len() as u64,
            rows_written: column.values.len() as u64,
            metadata: metadata.build().expect("metadata"),
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        group.append_column(&Bytes::from(chunk), close).expect("a column");
    }
    group.close().expect("a row group");
    file.into_inner().expect("a file").into()
}

fn group_descriptors(columns: &[Written]) -> Vec<parquet::schema::types::ColumnDescPtr> {
    let fields = columns.iter().enumerate().map(|(at, column)| Arc::new(column.schema(&format!("c{at}")))).collect();
    let schema = Arc::new(Type::group_type_builder("schema").with_fields(fields).build().expect("a schema"));
    parquet::schema::types::SchemaDescriptor::new(schema).columns().to_vec()
}

/// What stands in the pages of one column of a file.
pub struct Pages {
    pub column: Column,
    /// Per data page: its PLAIN values, and how many there are, nulls not counted.
    pub plain: Vec<(Bytes, usize)>,
    /// The dictionary, when there is one: its values, and how many.
    pub dictionary: Option<(Bytes, usize)>,
}

/// The pages of every column of a file, over all row groups.
pub fn pages(file: Bytes) -> Vec<Pages> {
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let mut found = Vec::new();
    for (at, descriptor) in schema.columns().iter().enumerate() {
        let physical = match descriptor.physical_type() {
            PhysicalType::INT32 => Physical::Int32,
            PhysicalType::INT64 => Physical::Int64,
            PhysicalType::FIXED_LEN_BYTE_ARRAY => Physical::Fixed(descriptor.type_length() as u32),
            PhysicalType::BYTE_ARRAY => Physical::ByteArray,
            other => panic!("{other} is no type of a decimal"),
        };
        let (precision, scale) = (descriptor.type_precision() as u32, descriptor.type_scale() as u32);
        let column = Column::new(precision, scale, physical).expect("a column of the specification");
        let (mut plain, mut dictionary) = (Vec::new(), None);
        for group in 0..reader.num_row_groups() {
            let group = reader.get_row_group(group).expect("a row group");
            let mut pages = group.get_column_page_reader(at).expect("pages");
            while let Some(page) = pages.get_next_page().expect("a page") {
                match page {
                    Page::DictionaryPage { buf, num_values, .. } => dictionary = Some((buf, num_values as usize)),
                    Page::DataPage { encoding: Encoding::PLAIN, buf, num_values, .. } => {
                        if descriptor.max_def_level() == 0 {
                            plain.push((buf, num_values as usize));
                        } else {
                            let length = u32::from_le_bytes(buf[..4].try_into().expect("4 bytes")) as usize;
                            let present = ones(&buf[4..4 + length], num_values as usize);
                            plain.push((buf.slice(4 + length..), present));
                        }
                    }
                    Page::DataPageV2 {
                        encoding: Encoding::PLAIN,
                        buf,
                        num_values,
                        num_nulls,
                        def_levels_byte_len,
                        ..
                    } => {
                        plain.push((buf.slice(def_levels_byte_len as usize..), (num_values - num_nulls) as usize));
                    }
                    // Indices into the dictionary, which is read as it stands.
                    _ => assert!(dictionary.is_some(), "neither PLAIN nor a dictionary"),
                }
            }
        }
        found.push(Pages { column, plain, dictionary });
    }
    found
}

/// How many of `count` levels of one bit are 1: RLE runs and bit-packed groups of 8.
fn ones(mut bytes: &[u8], count: usize) -> usize {
    let (mut ones, mut seen) = (0, 0);
    while seen < count {
        let mut header = 0usize;
        for shift in (0..).step_by(7) {
            let (first, rest) = bytes.split_first().expect("a header");
            bytes = rest;
            header |= usize::from(first & 0x7f) << shift;
            if *first < 0x80 {
                break;
            }
        }
        if header & 1 == 0 {
            ones += (header >> 1) * usize::from(bytes[0]);
            (seen, bytes) = (seen + (header >> 1), &bytes[1..]);
        } else {
            for byte in &bytes[..header >> 1] {
                let bits = (count - seen).min(8);
                ones += (byte & ((1u16 << bits) - 1) as u8).count_ones() as usize;
                seen += bits;
            }
            bytes = &bytes[header >> 1..];
        }
    }
    ones
}
