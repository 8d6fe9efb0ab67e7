//! A connection that is closed so that its last answer arrives.
//!
//! Who sends more than is read (413, 408) may still be sending when the answer comes. Closed at once, the system would
//! answer those bytes with a reset, and the other side would lose the answer with it: to a client that is an order of
//! unknown fate. So the sending side is closed first, and what still comes is thrown away for a moment.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// How long is waited for the other side to stop.
const LONGEST: Duration = Duration::from_secs(1);

/// How much is thrown away meanwhile.
const MOST_BYTES: usize = 16 << 20;

pub(super) struct Lingering {
    stream: TcpStream,
    /// Begun when the sending side was closed.
    end: Option<Pin<Box<Sleep>>>,
    thrown_away: usize,
}

impl Lingering {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream, end: None, thrown_away: 0 }
    }
}

impl AsyncRead for Lingering {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Lingering {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.end.is_none() {
            ready!(Pin::new(&mut this.stream).poll_shutdown(cx))?;
        }
        let end = this.end.get_or_insert_with(|| Box::pin(sleep(LONGEST)));
        let mut space = [0; 16 << 10];
        while this.thrown_away < MOST_BYTES && end.as_mut().poll(cx).is_pending() {
            let mut buf = ReadBuf::new(&mut space);
            match ready!(Pin::new(&mut this.stream).poll_read(cx, &mut buf)) {
                Ok(()) if !buf.filled().is_empty() => this.thrown_away += buf.filled().len(),
                // The other side has closed too, in one way or another.
                _ => break,
            }
        }
        Poll::Ready(Ok(()))
    }
}
