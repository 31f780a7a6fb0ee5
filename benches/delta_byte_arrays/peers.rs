//! The `parquet` crate: its encoders and decoders by themselves, and whole files through arrow.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, BinaryArray, FixedSizeBinaryArray, RecordBatch};
use arrow_schema::{DataType as ArrowType, Field, Schema};
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, Encoding};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, FixedLenByteArray, FixedLenByteArrayType};
use parquet::encodings::decoding::{Decoder, DeltaByteArrayDecoder, DeltaLengthByteArrayDecoder};
use parquet::encodings::encoding::{DeltaByteArrayEncoder, DeltaLengthByteArrayEncoder, Encoder};
use parquet::file::properties::{EnabledStatistics, WriterProperties};

use super::data::Column;

/// What a file of one column needs.
pub struct Arrow {
    schema: Arc<Schema>,
    batch: RecordBatch,
    properties: WriterProperties,
    values: usize,
}

impl Arrow {
    pub fn new(column: &Column, width: Option<usize>, encoding: Encoding) -> Self {
        let (array, data_type): (ArrayRef, _) = match width {
            None => (Arc::new(BinaryArray::from_iter_values(column.slices())), ArrowType::Binary),
            Some(width) => {
                let array =
                    FixedSizeBinaryArray::try_from_iter(column.slices().into_iter()).expect("values of a width");
                (Arc::new(array), ArrowType::FixedSizeBinary(width as i32))
            }
        };
        let schema = Arc::new(Schema::new(vec![Field::new("c", data_type, false)]));
        let batch = RecordBatch::try_new(schema.clone(), vec![array]).expect("one column");
        // One page with nothing but the values.
        let properties = WriterProperties::builder()
            .set_compression(Compression::UNCOMPRESSED)
            .set_dictionary_enabled(false)
            .set_encoding(encoding)
            .set_statistics_enabled(EnabledStatistics::None)
            .set_data_page_size_limit(usize::MAX)
            .set_data_page_row_count_limit(usize::MAX)
            .set_write_batch_size(usize::MAX)
            .build();
        Self { schema, batch, properties, values: column.len() }
    }

    pub fn write(&self, file: &mut Vec<u8>) {
        file.clear();
        let mut writer =
            ArrowWriter::try_new(file, self.schema.clone(), Some(self.properties.clone())).expect("a writer");
        writer.write(&self.batch).expect("values");
        writer.close().expect("a file");
    }

    pub fn file(&self) -> Bytes {
        let mut file = Vec::new();
        self.write(&mut file);
        file.into()
    }

    /// Reads the whole file; gives the bytes of its values.
    pub fn read(&self, file: &Bytes) -> usize {
        let reader = ParquetRecordBatchReaderBuilder::try_new(file.clone()).expect("a file");
        let reader = reader.with_batch_size(self.values).build().expect("a reader");
        reader.map(|batch| bytes_of(batch.expect("a batch").column(0))).sum()
    }
}

fn bytes_of(array: &ArrayRef) -> usize {
    let binary = array.as_any().downcast_ref::<BinaryArray>();
    let fixed = array.as_any().downcast_ref::<FixedSizeBinaryArray>();
    binary.map(|array| array.value_data().len()).or(fixed.map(|array| array.value_data().len())).expect("binary values")
}

/// The values in the form that the crate's encoders take.
pub enum Values {
    ByteArrays(Vec<ByteArray>),
    FixedLen(Vec<FixedLenByteArray>),
}

impl Values {
    pub fn new(column: &Column, width: Option<usize>) -> Self {
        let values = column.slices().into_iter().map(|value| ByteArray::from(value.to_vec()));
        match width {
            None => Self::ByteArrays(values.collect()),
            Some(_) => Self::FixedLen(values.map(FixedLenByteArray::from).collect()),
        }
    }
}

/// An encoder or decoder, as a call that does all of a page.
pub type Encode<'a> = Box<dyn FnMut() -> Bytes + 'a>;
pub type Decode<'a> = Box<dyn FnMut(&Bytes) + 'a>;

fn encode<'a, T: DataType>(mut encoder: impl Encoder<T> + 'a, values: &'a [T::T]) -> Encode<'a> {
    Box::new(move || {
        encoder.put(values).expect("values");
        encoder.flush_buffer().expect("a page")
    })
}

fn decode<'a, T: DataType>(mut decoder: impl Decoder<T> + 'a, count: usize) -> Decode<'a> {
    let mut out = vec![T::T::default(); count];
    Box::new(move |page| {
        decoder.set_data(page.clone(), count).expect("a page");
        assert_eq!(decoder.get(&mut out).expect("values"), count);
    })
}

pub fn encoder(encoding: Encoding, values: &Values) -> Encode<'_> {
    match (encoding, values) {
        (Encoding::DELTA_BYTE_ARRAY, Values::ByteArrays(values)) => {
            encode::<ByteArrayType>(DeltaByteArrayEncoder::new(), values)
        }
        (Encoding::DELTA_BYTE_ARRAY, Values::FixedLen(values)) => {
            encode::<FixedLenByteArrayType>(DeltaByteArrayEncoder::new(), values)
        }
        (Encoding::DELTA_LENGTH_BYTE_ARRAY, Values::ByteArrays(values)) => {
            encode::<ByteArrayType>(DeltaLengthByteArrayEncoder::new(), values)
        }
        _ => panic!("no {encoding} of such values"),
    }
}

pub fn decoder<'a>(encoding: Encoding, width: Option<usize>, count: usize) -> Decode<'a> {
    match (encoding, width) {
        (Encoding::DELTA_BYTE_ARRAY, None) => decode::<ByteArrayType>(DeltaByteArrayDecoder::new(), count),
        (Encoding::DELTA_BYTE_ARRAY, Some(_)) => decode::<FixedLenByteArrayType>(DeltaByteArrayDecoder::new(), count),
        (Encoding::DELTA_LENGTH_BYTE_ARRAY, None) => decode::<ByteArrayType>(DeltaLengthByteArrayDecoder::new(), count),
        _ => panic!("no {encoding} of such values"),
    }
}
