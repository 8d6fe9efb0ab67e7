//! The command line: `serve`, `token` and `check`.

mod serve;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;

use service_rules::registry::Registry;
use service_rules::token::Token;

/// The reference service for sales orders: PUT v2/ServiceOrder({orderId}) and PUT v3/ServiceOrder({orderId}).
///
/// Validates orders, stores them durably and returns them with their read-only members filled in, as the
/// specification requires. If the specification is silent, the decisions in its documentation apply; the
/// vendor's service may differ.
#[derive(Parser)]
#[command(name = "sales-order-intake-server", version, after_help = FIRST_STEPS)]
enum Command {
    /// Accept orders until Ctrl-C or SIGTERM, then finish running requests.
    Serve(Box<serve::Serve>),
    /// Create a token. Prints it once, with the registry entry that contains only its hash.
    Token,
    /// Check a registry file. Prints the first error with its position, and exits with status 1 if there is one.
    Check {
        /// The TOML file. For an example with comments, see examples/registry.toml in the repository.
        registry: PathBuf,
    },
}

const FIRST_STEPS: &str = "\
First steps:
  sales-order-intake-server serve --demo              start with demo companies, their locations and a token
  sales-order-intake-server token                     create a token and its entry for the registry
  sales-order-intake-server check registry.toml       check a registry file";

/// A message for the person who started the program.
type Failure = Box<dyn std::error::Error>;

/// Runs the program with the arguments of the process.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     sales_order_intake_service::cli::run()
/// }
/// ```
#[must_use]
pub fn run() -> ExitCode {
    let result = match Command::parse() {
        Command::Serve(serve) => serve.run(),
        Command::Token => print_new_token(),
        Command::Check { registry } => check(&registry),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // If even this fails, the exit status still reports the failure.
            let _ = writeln!(io::stderr(), "{}", message.to_string().trim_end());
            ExitCode::FAILURE
        }
    }
}

/// Creates a token.
fn print_new_token() -> Result<(), Failure> {
    let token = Token::new_random()?;
    let (token, hash) = (token.reveal(), token.hash());
    writeln!(
        io::stdout(),
        "The token, shown only this once:\n\n  {token}\n\nFor the registry; fill in name, integrators and companies:\n\n\
        [[tokens]]\nname = \"\"\nsha256 = \"{hash}\"\nintegrators = []\ncompanies = []"
    )?;
    Ok(())
}

/// Checks a registry file.
fn check(file: &Path) -> Result<(), Failure> {
    let [companies, locations, integrators, tokens] = read_registry(file)?.counts();
    writeln!(
        io::stdout(),
        "{}: {companies} companies with {locations} locations, {integrators} integrators, {tokens} tokens; no errors",
        file.display()
    )?;
    Ok(())
}

/// Reads a registry file. The failure names the file.
fn read_registry(file: &Path) -> Result<Registry, Failure> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| format!("{name}: {error}"))?;
    Ok(Registry::parse(&text).map_err(|error| format!("{name}: {error}"))?)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_of_the_commands_is_consistent() {
        super::Command::command().debug_assert();
    }
}
