//! Reads the registry file again on SIGHUP.

use std::io;
use std::path::{Path, PathBuf};

use super::Failure;
use super::check::read_registry;
use crate::TokenHash;
use service_rules::registry::{Registry, SharedRegistry};

/// Replaces the registry at every SIGHUP with that of the file, unless the file has errors. The token for
/// everything, if there is one, stays valid.
#[cfg(unix)]
pub(super) fn on_hangup(path: PathBuf, shared: SharedRegistry, token: Option<TokenHash>) -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut hangup = signal(SignalKind::hangup())?;
    tokio::spawn(async move {
        while hangup.recv().await.is_some() {
            reload(&path, &shared, token.as_ref());
        }
    });
    Ok(())
}

/// Ignores the file: this system has no SIGHUP.
#[cfg(not(unix))]
pub(super) fn on_hangup(_: PathBuf, _: SharedRegistry, _: Option<TokenHash>) -> io::Result<()> {
    Ok(())
}

fn reload(path: &Path, shared: &SharedRegistry, token: Option<&TokenHash>) {
    match read_tokens(path) {
        Ok(mut registry) => {
            if let Some(token) = token {
                registry.add_token_for_everything(*token);
            }
            let [companies, locations, integrators, tokens] = registry.counts();
            shared.replace(registry);
            tracing::info!(companies, locations, integrators, tokens, "registry reloaded");
        }
        Err(Failure(errors)) => {
            tracing::error!(
                errors = errors.trim_end(),
                "registry not reloaded; the previous one stays in force"
            );
        }
    }
}

/// Reads a registry with at least one token: a file that is just being written is empty at first.
fn read_tokens(path: &Path) -> Result<Registry, Failure> {
    let registry = read_registry(path)?;
    match registry.counts() {
        [.., 0] => Err(Failure(format!("{} contains no tokens", path.display()))),
        _ => Ok(registry),
    }
}
