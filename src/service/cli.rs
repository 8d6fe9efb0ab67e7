//! The command line: `serve`, `token`, `check`.

mod serve;

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use super::registry::Registry;
use super::token::Token;

/// The reference service for sales orders: PUT v2/ServiceOrder({orderId}) and PUT v3/ServiceOrder({orderId}).
///
/// Orders are validated, stored durably and answered with their read-only members filled, as the specification has it.
/// Where that is silent, this service decides (README: D1 to D47); the vendor's may decide otherwise.
#[derive(Parser)]
#[command(name = "sales-order-intake-server", version, after_help = FIRST_STEPS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const FIRST_STEPS: &str = "\
First steps:
  sales-order-intake-server serve --demo              a company with three locations and a token, ready for orders
  sales-order-intake-server token                     a token of your own, and what the registry needs of it
  sales-order-intake-server check registry.toml       everything that is wrong with a registry, and where";

#[derive(Subcommand)]
enum Command {
    /// Takes orders until it is told to stop (Ctrl-C or SIGTERM), then finishes what is in flight.
    Serve(Box<serve::Serve>),
    /// Makes a token: prints it once, and the entry for the registry that holds only its hash.
    Token,
    /// Verifies a registry file: every fault and where it is. Exit status 1 where there is one.
    Check {
        /// The TOML file; examples/registry.toml of the repository shows one with comments.
        registry: PathBuf,
    },
}

/// Runs the program with the arguments of the process.
#[must_use]
pub fn run() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Serve(serve) => serve.run(),
        Command::Token => token(),
        Command::Check { registry } => check(&registry),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(says)) => {
            // Where even this can't be said, the status still tells.
            let _ = writeln!(io::stderr(), "{}", says.trim_end());
            ExitCode::FAILURE
        }
    }
}

/// What ends the program, in words for the person who started it.
struct Failure(String);

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

fn token() -> Result<(), Failure> {
    let token = Token::new_random()?;
    let (clear, hash) = (token.reveal(), token.hash());
    writeln!(
        io::stdout(),
        "The token, shown this once:\n\n  {clear}\n\nFor the registry; say who may use it for whom:\n\n\
        [[tokens]]\nname = \"\"\nsha256 = \"{hash}\"\nintegrators = []\ncompanies = []"
    )?;
    Ok(())
}

fn check(path: &PathBuf) -> Result<(), Failure> {
    let [companies, locations, integrators, tokens] = read_registry(path)?.counts();
    writeln!(
        io::stdout(),
        "{}: {companies} companies with {locations} locations, {integrators} integrators, {tokens} tokens; no fault",
        path.display()
    )?;
    Ok(())
}

fn read_registry(path: &PathBuf) -> Result<Registry, Failure> {
    let at = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| Failure(format!("{at}: {error}")))?;
    Registry::parse(&text).map_err(|faults| {
        let faults: String = faults.iter().map(|fault| format!("{at}: {fault}\n")).collect();
        Failure(faults)
    })
}
