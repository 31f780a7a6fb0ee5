//! A subject whose every call is watched.

use super::coverage::awake;
use crate::case::{Case, Domain, Step};
use crate::error::{DecodeError, EncodeError};
use crate::subject::{Answer, Order, Subject};

/// A subject whose comparisons the fuzzer is told of.
pub(super) struct Watched<D: Domain>(pub(super) Box<dyn Subject<D>>);

impl<D: Domain> Subject<D> for Watched<D> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn encoded_len(&mut self, params: &D::Params, values: &D::Values) -> Answer<EncodeError> {
        let _awake = awake();
        self.0.encoded_len(params, values)
    }

    fn encode(&mut self, params: &D::Params, values: &D::Values, puts: &[u16], out: &mut [u8]) -> Answer<EncodeError> {
        let _awake = awake();
        self.0.encode(params, values, puts, out)
    }

    fn decode(
        &mut self,
        params: &D::Params,
        bytes: &[u8],
        steps: &[Step],
        values: &mut D::Values,
    ) -> Answer<DecodeError> {
        let _awake = awake();
        self.0.decode(params, bytes, steps, values)
    }

    fn order(&mut self, params: &D::Params, bytes: &[u8], order: &mut Order) -> bool {
        let _awake = awake();
        self.0.order(params, bytes, order)
    }

    fn renew(&mut self) {
        self.0.renew();
    }

    fn says_consumed(&self) -> bool {
        self.0.says_consumed()
    }

    fn keeps_contract(&self) -> bool {
        self.0.keeps_contract()
    }

    fn excuse(&self, case: &Case<D>) -> Option<&'static str> {
        self.0.excuse(case)
    }
}
