//! `serve`: turns flags and environment into settings, starts the log, and runs the service.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Args;
use tracing_subscriber::EnvFilter;

use super::{Failure, read_registry};
use crate::demo;
use crate::server::Server;
use crate::settings::Settings;
use service_rules::injected_fault::{FaultRate, FaultSettings, InjectedFault};
use service_rules::registry::Registry;
use service_rules::token::Token;

#[derive(Args)]
pub(super) struct Serve {
    /// The TOML file with companies, locations, integrators and tokens. Required without --demo.
    #[arg(long, env = "SALES_ORDER_INTAKE_REGISTRY", value_name = "FILE", required_unless_present = "demo")]
    registry: Option<PathBuf>,

    /// Start with the companies, locations (Exclusive, no tax pricing, Inclusive) and integrators of the
    /// documentation's examples, or with those of --registry, and with a token for all of them; prints the
    /// token and the ids. Turns on --point-of-sale, --faults, the demo page at / with its list of locations at
    /// /demo.json, and the list of the last requests at /requests. Stores orders in demo-orders.sqlite unless
    /// --database is given.
    #[arg(long)]
    demo: bool,

    /// The token of --demo, for scripts. The default is a new one at every start.
    #[arg(
        long,
        env = "SALES_ORDER_INTAKE_DEMO_TOKEN",
        value_name = "TOKEN",
        hide_env_values = true,
        requires = "demo"
    )]
    token: Option<String>,

    #[command(flatten)]
    settings: Settings,

    /// Let clients request a fault with the header X-Fault: latency=<milliseconds> (the order is stored, then
    /// the response is delayed), a status of the service such as 503, drop (nothing is stored), drop-after
    /// (the order is stored, but the response is never sent) or down-until=<seconds> (503 to every order until the seconds have passed).
    #[arg(long, env = "SALES_ORDER_INTAKE_FAULTS")]
    faults: bool,

    /// Inject a fault at random, such as 503=0.05 or latency=2000:0.1. Rates are from 0 to 1, with at most 6
    /// decimal places, and together at most 1. Can be given more than once. Turns on --faults.
    #[arg(long, value_name = "FAULT=RATE", value_parser = FaultSettings::parse_rate)]
    fault_rate: Vec<(InjectedFault, FaultRate)>,

    /// The level of the log on standard error, which is JSON: error, warn, info, debug, or a filter such as
    /// sales_order_intake=debug. Tokens, names and notes are never logged.
    #[arg(long, env = "SALES_ORDER_INTAKE_LOG", value_name = "FILTER", default_value = "info")]
    log: String,
}

impl Serve {
    pub(super) fn run(self) -> Result<(), Failure> {
        let filter = EnvFilter::try_new(&self.log)?;
        tracing_subscriber::fmt().json().with_writer(io::stderr).with_env_filter(filter).init();
        let settings = self.settings()?;
        let mut registry = match &self.registry {
            Some(path) => read_registry(path)?,
            None => Registry::parse(demo::REGISTRY)?,
        };
        // Not parsed by clap, whose errors contain the value.
        let token = match self.token.as_deref().map(str::parse::<Token>) {
            None if self.demo => Some(Token::new_random()?),
            token => token.transpose().map_err(|error| format!("--token {error}"))?,
        };
        if let Some(token) = &token {
            registry.add_token_for_everything(token.hash());
        }
        // One core is left to the thread that commits.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = cores.saturating_sub(1).max(1);
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(workers).enable_all().build()?;
        let result = runtime.block_on(serve(&settings, registry, token));
        // Does not wait for a database that is still busy after the grace period.
        runtime.shutdown_background();
        result
    }

    fn settings(&self) -> Result<Settings, Failure> {
        let faults = FaultSettings::with_rates(self.fault_rate.clone())
            .map_err(|error| format!("--fault-rate: {error}"))?;
        let injects_faults = self.faults || self.demo || !self.fault_rate.is_empty();
        Ok(Settings {
            point_of_sale: self.settings.point_of_sale || self.demo,
            directory: self.demo,
            request_list: self.demo,
            faults: injects_faults.then_some(faults),
            ..self.settings.clone()
        })
    }
}

async fn serve(settings: &Settings, registry: Registry, token: Option<Token>) -> Result<(), Failure> {
    let server = Server::start(settings, registry).await?;
    let stop = stop_signal()?;
    let base = format!("http://{}", server.address()?);
    let registry = server.registry();
    // Printed at once, so that a program that reads them gets all of them together.
    let mut out = Vec::new();
    writeln!(out, "base URL  {base}{}", settings.base_path)?;
    if let Some(token) = token {
        let token = token.reveal();
        writeln!(out, "token     {token}")?;
        // Browsers do not send fragments, so the token reaches only the page.
        writeln!(out, "page      {base}/#token={token}")?;
        for (id, integrator) in registry.integrators() {
            writeln!(out, "integrator {id}  {}", integrator.name)?;
        }
    }
    if settings.point_of_sale {
        for (company, entity, location) in registry.locations() {
            writeln!(out, "view      {base}/pos/{company}/{entity}  {}", location.name)?;
        }
    }
    io::stdout().write_all(&out)?;
    Ok(server.run(stop).await?)
}

/// Returns a future that completes on Ctrl-C, or on SIGTERM, which service managers send. The signals are
/// handled from now on: one that arrives before the future is polled does not kill the process.
#[cfg(unix)]
fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};

    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Returns a future that completes on Ctrl-C.
#[cfg(not(unix))]
fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
