//! The body of a response, in chunks that it shares with the cache.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::sync::OwnedSemaphorePermit;

/// The chunks of a response, in their order.
pub(super) struct Chunks(VecDeque<Bytes>);

/// Holds the permit until the last chunk is sent.
struct ChunkedBody {
    chunks: VecDeque<Bytes>,
    _permit: OwnedSemaphorePermit,
}

impl Chunks {
    pub(super) fn new(chunks: Vec<Bytes>) -> Self {
        Self(chunks.into())
    }

    pub(super) fn into_body(self, permit: OwnedSemaphorePermit) -> Body {
        Body::new(ChunkedBody { chunks: self.0, _permit: permit })
    }
}

impl HttpBody for ChunkedBody {
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
