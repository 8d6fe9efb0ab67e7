//! `check`: checks a registry file.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;

use super::Failure;
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
    let text = std::fs::read_to_string(path).map_err(|error| Failure(format!("{name}: {error}")))?;
    Registry::parse(&text).map_err(|errors| {
        let lines: String = errors.iter().map(|error| format!("{name}: {error}\n")).collect();
        Failure(lines)
    })
}
