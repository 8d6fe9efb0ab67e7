//! The body of a response, in chunks that it shares with the cache.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::sync::OwnedSemaphorePermit;

/// The chunks of a response, in their order. Holds the permit until the last one is sent.
pub(super) struct Chunks {
    chunks: VecDeque<Bytes>,
    _permit: OwnedSemaphorePermit,
}

impl Chunks {
    pub(super) fn new(chunks: Vec<Bytes>, permit: OwnedSemaphorePermit) -> Self {
        Self { chunks: chunks.into(), _permit: permit }
    }
}

impl HttpBody for Chunks {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.chunks.pop_front().map(|chunk| Ok(Frame::data(chunk))))
    }

    fn is_end_stream(&self) -> bool {
        self.chunks.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        let bytes: usize = self.chunks.iter().map(Bytes::len).sum();
        SizeHint::with_exact(u64::try_from(bytes).unwrap_or(u64::MAX))
    }
}
