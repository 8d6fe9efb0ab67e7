//! `check`: checks a registry file; and reads it again on SIGHUP.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::Failure;
use crate::TokenHash;
use crate::state::AppState;
use service_rules::registry::Registry;

#[derive(Args)]
pub(super) struct Check {
    /// The TOML file. For an example with comments, see examples/registry.toml in the repository.
    registry: PathBuf,
}

impl Check {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let [companies, locations, integrators, tokens] = read_registry(&self.registry)?.counts();
        writeln!(
            io::stdout(),
            "{}: {companies} companies with {locations} locations, {integrators} integrators, {tokens} tokens; no errors",
            self.registry.display()
        )?;
        Ok(())
    }
}

/// Reads a registry file. The failure lists every error, one per line.
pub(super) fn read_registry(path: &Path) -> Result<Registry, Failure> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    let lines = |errors: Vec<_>| errors.iter().map(|error| format!("{name}: {error}\n")).collect::<String>();
    Ok(Registry::parse(&text).map_err(lines)?)
}

/// Replaces the registry at every SIGHUP with that of the file, unless the file has errors. The token for
/// everything, if there is one, stays valid.
#[cfg(unix)]
pub(super) fn reload_on_hangup(
    path: PathBuf,
    app: Arc<AppState>,
    token: Option<TokenHash>,
) -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut hangup = signal(SignalKind::hangup())?;
    tokio::spawn(async move {
        while hangup.recv().await.is_some() {
            reload(&path, &app, token.as_ref());
        }
    });
    Ok(())
}

/// Ignores the file: this system has no SIGHUP.
#[cfg(not(unix))]
pub(super) fn reload_on_hangup(_: PathBuf, _: Arc<AppState>, _: Option<TokenHash>) -> io::Result<()> {
    Ok(())
}

fn reload(path: &Path, app: &AppState, token: Option<&TokenHash>) {
    match read_tokens(path) {
        Ok(mut registry) => {
            if let Some(token) = token {
                registry.add_token_for_everything(*token);
            }
            let [companies, locations, integrators, tokens] = registry.counts();
            app.replace_registry(registry);
            tracing::info!(companies, locations, integrators, tokens, "registry reloaded");
        }
        Err(errors) => {
            let errors = errors.to_string();
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
        [.., 0] => Err(format!("{} contains no tokens", path.display()).into()),
        _ => Ok(registry),
    }
}
