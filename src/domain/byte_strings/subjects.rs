//! The twins of the codecs for byte strings, which have the same functions and types, as subjects.

/// Defines the subjects of a domain.
///
/// `options` are those of a decode. `writes` says for which forms there is a writer of pages. `direct` decodes a form in a way
/// that only this codec has, or gives `None`. `peer` is the subject of the `parquet` crate.
macro_rules! subjects {
    (
        $domain:ident,
        $codec:ident,
        options: $options:expr,
        writes: $writes:expr,
        direct: $direct:expr,
        peer: $peer:ident $(,)?
    ) => {
        use crate::case::Step;
        use crate::codec::byte_arrays::ByteArrays;
        use crate::codec::delta_binary_packed::Geometry;
        use crate::codec::path::Path;
        use crate::domain::byte_strings::forms::Forms;
        use crate::domain::byte_strings::{Form, Params, Strings};
        use crate::error::{DecodeError, EncodeError};
        use crate::subject::museum::Exhibit;
        use crate::subject::{Answer, Subject, Twins};

        /// Writers that are kept from case to case, one for each of the last few geometries.
        const KEPT: usize = 8;

        #[derive(Default)]
        struct Naive {
            forms: Forms,
        }

        impl Subject<$domain> for Naive {
            fn name(&self) -> &str {
                "naive"
            }

            fn encoded_len(&mut self, params: &Params, values: &Strings) -> Answer<EncodeError> {
                let geometry = params.layout.geometry::<i32>();
                Answer::of(
                    self.forms.hand_over(params.form, values, |arrays| $codec::naive::encoded_len(arrays, geometry)),
                )
            }

            fn encode(
                &mut self,
                params: &Params,
                values: &Strings,
                _puts: &[u16],
                out: &mut [u8],
            ) -> Answer<EncodeError> {
                let geometry = params.layout.geometry::<i32>();
                Answer::of(
                    self.forms
                        .hand_over(params.form, values, |arrays| $codec::naive::encode_into(arrays, geometry, out)),
                )
            }

            fn decode(
                &mut self,
                params: &Params,
                bytes: &[u8],
                steps: &[Step],
                values: &mut Strings,
            ) -> Answer<DecodeError> {
                values.clear();
                let read = $codec::naive::decode(bytes, &$options(params));
                Answer::of(read.map(|(list, consumed)| {
                    list.iter().for_each(|value| values.push(value));
                    if !steps.is_empty() {
                        *values = values.selected(steps);
                    }
                    consumed
                }))
            }
        }

        /// Fast, by one path. What it writes and reads with lives as long as it does.
        struct Fast {
            path: Path,
            name: String,
            forms: Forms,
            scratch: $codec::Scratch,
            writers: Vec<(Geometry, $codec::PageWriter)>,
            wide: Vec<i64>,
            data: Vec<u8>,
        }

        impl Fast {
            fn new(path: Path) -> Self {
                Self {
                    path,
                    name: format!("fast-{}", path.name()),
                    forms: Forms::default(),
                    scratch: $codec::Scratch::new(),
                    writers: Vec::new(),
                    wide: Vec::new(),
                    data: Vec::new(),
                }
            }

            fn writer(&mut self, geometry: Geometry) -> &mut $codec::PageWriter {
                let at = self.writers.iter().position(|(known, _)| *known == geometry).unwrap_or_else(|| {
                    if self.writers.len() == KEPT {
                        self.writers.remove(0);
                    }
                    self.writers.push((geometry, $codec::PageWriter::with_path(self.path, geometry)));
                    self.writers.len() - 1
                });
                &mut self.writers[at].1
            }

            /// One value after another, with questions after each put that must not change anything.
            fn write(
                &mut self,
                geometry: Geometry,
                values: &Strings,
                puts: &[u16],
                out: &mut [u8],
            ) -> Result<usize, EncodeError> {
                let writer = self.writer(geometry);
                let written = write(writer, values, puts, out);
                if written.is_err() {
                    writer.reset();
                }
                written
            }

            fn read(
                &mut self,
                params: &Params,
                bytes: &[u8],
                steps: &[Step],
                out: &mut Strings,
            ) -> Result<usize, DecodeError> {
                let options = $options(params);
                if steps.is_empty() {
                    match params.form {
                        Form::Arrow32 | Form::Sliced => {
                            let (offsets, data) = (&mut out.offsets, &mut out.data);
                            return $codec::decode_into_with(
                                self.path,
                                bytes,
                                &options,
                                &mut self.scratch,
                                offsets,
                                data,
                            );
                        }
                        Form::Arrow64 => {
                            let (offsets, data) = (&mut self.wide, &mut out.data);
                            let consumed =
                                $codec::decode_into_with(self.path, bytes, &options, &mut self.scratch, offsets, data)?;
                            out.offsets.clear();
                            out.offsets.extend(self.wide.iter().map(|offset| *offset as i32));
                            return Ok(consumed);
                        }
                        Form::Slices | Form::Stream | Form::Fixed(_) => {
                            if let Some(read) = $direct(self.path, &mut self.scratch, params, bytes, out) {
                                return read;
                            }
                        }
                    }
                }
                // Reading one by one has no limit of bytes, so that is looked at first.
                let (offsets, data) = (&mut self.wide, &mut self.data);
                $codec::decode_into_with(self.path, bytes, &options, &mut self.scratch, offsets, data)?;
                let mut reader = $codec::PageReader::with_path(self.path, bytes, &options, &mut self.scratch)?;
                for step in steps {
                    match *step {
                        Step::Get(count) => {
                            for _ in 0..count {
                                let Some(value) = reader.next_value() else { break };
                                out.push(value);
                            }
                        }
                        Step::Skip(count) => {
                            let (count, left) = (usize::from(count), reader.remaining());
                            assert_eq!(reader.skip(count), count.min(left), "skip says how many it skipped");
                        }
                    }
                }
                while let Some(value) = reader.next_value() {
                    out.push(value);
                }
                Ok(reader.consumed())
            }
        }

        fn write(
            writer: &mut $codec::PageWriter,
            values: &Strings,
            puts: &[u16],
            out: &mut [u8],
        ) -> Result<usize, EncodeError> {
            let mut values = values.iter();
            for put in puts {
                for value in values.by_ref().take((*put).into()) {
                    writer.push(value)?;
                }
                writer.encoded_len();
                // Too small for any page: the page goes on as if nothing had been asked.
                let refused = writer.finish_page(&mut []);
                debug_assert!(refused.is_err());
            }
            for value in values {
                writer.push(value)?;
            }
            writer.finish_page(out)
        }

        impl Subject<$domain> for Fast {
            fn name(&self) -> &str {
                &self.name
            }

            fn encoded_len(&mut self, params: &Params, values: &Strings) -> Answer<EncodeError> {
                let geometry = params.layout.geometry::<i32>();
                let (path, scratch) = (self.path, &mut self.scratch);
                Answer::of(
                    self.forms.hand_over(params.form, values, |arrays| {
                        $codec::encoded_len_with(path, arrays, geometry, scratch)
                    }),
                )
            }

            fn encode(
                &mut self,
                params: &Params,
                values: &Strings,
                puts: &[u16],
                out: &mut [u8],
            ) -> Answer<EncodeError> {
                let geometry = params.layout.geometry::<i32>();
                let streams = params.form == Form::Stream || !puts.is_empty();
                if streams && $writes(params.form) {
                    return Answer::of(self.write(geometry, values, puts, out));
                }
                let (path, scratch) = (self.path, &mut self.scratch);
                let encode = |arrays: &ByteArrays<'_>| $codec::encode_into_with(path, arrays, geometry, scratch, out);
                Answer::of(self.forms.hand_over(params.form, values, encode))
            }

            fn decode(
                &mut self,
                params: &Params,
                bytes: &[u8],
                steps: &[Step],
                values: &mut Strings,
            ) -> Answer<DecodeError> {
                values.clear();
                Answer::of(self.read(params, bytes, steps, values))
            }

            fn renew(&mut self) {
                *self = Self::new(self.path);
            }
        }

        impl Twins for $domain {
            fn naive() -> Box<dyn Subject<Self>> {
                Box::new(Naive::default())
            }

            fn subjects() -> Vec<Box<dyn Subject<Self>>> {
                #[allow(unused_mut, reason = "some features bring no other implementation")]
                let mut subjects: Vec<_> =
                    Path::available().map(|path| Box::new(Fast::new(path)) as Box<dyn Subject<Self>>).collect();
                #[cfg(feature = "parquet")]
                subjects.push(Box::new(crate::subject::parquet_rs::$peer::default()));
                subjects
            }

            fn exhibits() -> Vec<Exhibit<Self>> {
                super::museum::exhibits()
            }
        }
    };
}

pub(crate) use subjects;
