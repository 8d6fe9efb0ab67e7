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

/// Reads a registry file. The failure names the file.
pub(super) fn read_registry(path: &Path) -> Result<Registry, Failure> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    Ok(Registry::parse(&text).map_err(|error| format!("{name}: {error}"))?)
}
