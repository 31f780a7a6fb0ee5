//! The `parquet` crate and arrow.

use std::sync::Arc;

use arrow_array::{ArrayRef, Decimal128Array, RecordBatch};
use arrow_schema::{DataType as ArrowType, Field, Schema};
use bytes::Bytes;
use bytetwin::codec::decimal::{Column, Physical, Values, fixed_width};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType};
use parquet::encodings::decoding::{Decoder, PlainDecoder};
use parquet::encodings::encoding::{Encoder, PlainEncoder};
use parquet::file::properties::{EnabledStatistics, WriterProperties};

pub const PLAIN: &str = "PlainEncoder";
pub const BUILD: &str = "build + Plain";
pub const ARROW: &str = "ArrowWriter";
pub const PLAIN_READ: &str = "PlainDecoder";
pub const ARROW_READ: &str = "arrow reader";

/// One value per item, as the crate's encoder takes them.
pub fn fixed_len_byte_arrays(encoded: &[u8], width: usize) -> Vec<FixedLenByteArray> {
    encoded.chunks_exact(width).map(|item| ByteArray::from(item.to_vec()).into()).collect()
}

/// A page of prebuilt values.
pub fn plain(values: &[FixedLenByteArray]) -> Bytes {
    let mut encoder = PlainEncoder::<FixedLenByteArrayType>::new();
    encoder.put(values).expect("values");
    encoder.flush_buffer().expect("a page")
}

/// A page of prebuilt values with lengths.
pub fn plain_byte_arrays(values: &[ByteArray]) -> Bytes {
    let mut encoder = PlainEncoder::<ByteArrayType>::new();
    encoder.put(values).expect("values");
    encoder.flush_buffer().expect("a page")
}

/// Slices of the page, one per value; nobody turns them into integers.
pub fn read_plain(page: &Bytes, count: usize, width: usize) {
    let mut decoder = PlainDecoder::<FixedLenByteArrayType>::new(width as i32);
    decoder.set_data(page.clone(), count).expect("a page");
    let mut out = vec![FixedLenByteArray::default(); count];
    assert_eq!(decoder.get(&mut out).expect("values"), count);
}

/// A file with one Decimal128 column and nothing but the values in it.
pub struct Arrow {
    schema: Arc<Schema>,
    batch: RecordBatch,
    properties: WriterProperties,
}

impl Arrow {
    /// `None` where arrow would choose another physical type.
    pub fn new(values: Values, column: &Column) -> Option<Self> {
        let (Values::I128(values), Physical::Fixed(width)) = (values, column.physical()) else { return None };
        let precision = column.precision();
        if precision <= 18 || fixed_width(precision) != width {
            return None;
        }
        let array = Decimal128Array::from(values.to_vec()).with_precision_and_scale(precision as u8, 0);
        let array: ArrayRef = Arc::new(array.expect("values of the precision"));
        let field = Field::new("c", ArrowType::Decimal128(precision as u8, 0), false);
        let schema = Arc::new(Schema::new(vec![field]));
        let batch = RecordBatch::try_new(schema.clone(), vec![array]).expect("one column");
        let properties = WriterProperties::builder()
            .set_compression(Compression::UNCOMPRESSED)
            .set_dictionary_enabled(false)
            .set_statistics_enabled(EnabledStatistics::None)
            .set_data_page_size_limit(usize::MAX)
            .set_data_page_row_count_limit(usize::MAX)
            .set_write_batch_size(usize::MAX)
            .build();
        Some(Self { schema, batch, properties })
    }

    pub fn write(&self, file: &mut Vec<u8>) {
        file.clear();
        let writer = ArrowWriter::try_new(file, self.schema.clone(), Some(self.properties.clone()));
        let mut writer = writer.expect("a writer");
        writer.write(&self.batch).expect("values");
        writer.close().expect("a file");
    }

    pub fn file(&self) -> Bytes {
        let mut file = Vec::new();
        self.write(&mut file);
        file.into()
    }

    /// Reads the whole file; gives the number of its values.
    pub fn read(&self, file: &Bytes) -> usize {
        let reader = ParquetRecordBatchReaderBuilder::try_new(file.clone()).expect("a file");
        let reader = reader.with_batch_size(self.batch.num_rows()).build().expect("a reader");
        reader.map(|batch| batch.expect("a batch").num_rows()).sum()
    }
}

/// Whether `page` is somewhere in `file`.
pub fn contains(file: &[u8], page: &[u8]) -> bool {
    let start = &page[..page.len().min(64)];
    file.windows(start.len()).enumerate().any(|(at, window)| window == start && file[at..].starts_with(page))
}
