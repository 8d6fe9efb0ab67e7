//! The service as a process of its own, to be killed and measured.

use std::net::SocketAddr;
use std::process::Stdio;

use sales_order_intake::service::Token;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{Child, ChildStdout, Command};

use super::client::Client;
use super::database::Database;
use super::running::registry;

/// The binary under test.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_sales-order-intake-server");

pub(crate) struct Process {
    pub(crate) address: SocketAddr,
    pub(crate) client: Client,
    child: Child,
    /// Kept open, for the service may still print.
    _stdout: BufReader<ChildStdout>,
}

/// A registry in a file, for processes that are to know the same token.
pub(crate) struct RegistryFile {
    path: String,
    pub(crate) token: Token,
}

impl RegistryFile {
    pub(crate) fn new(name: &str) -> Self {
        let path = format!("{}/{name}-{}.toml", env!("CARGO_TARGET_TMPDIR"), std::process::id());
        let token = Token::new_random().expect("a random source");
        std::fs::write(&path, registry(&token)).expect("written");
        Self { path, token }
    }
}

impl Process {
    pub(crate) async fn start(registry: &RegistryFile, database: &Database, flags: &[&str]) -> Self {
        let mut child = Command::new(BINARY)
            .args(["serve", "--listen", "127.0.0.1:0", "--registry", &registry.path])
            .args(flags)
            .env("DATABASE_URL", &database.url)
            .env("SALES_ORDER_INTAKE_LOG", "error")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("a process");
        let mut stdout = BufReader::new(child.stdout.take().expect("its output"));
        let mut line = String::new();
        stdout.read_line(&mut line).await.expect("a line");
        let Some(address) = line.trim().strip_prefix("base URL  http://") else {
            let mut why = String::new();
            child.stderr.take().expect("errors").read_to_string(&mut why).await.expect("text");
            panic!("it did not start: {why}");
        };
        let address = address.parse().expect("an address");
        let client = Client::new(address, registry.token.reveal());
        Self { address, client, child, _stdout: stdout }
    }

    /// SIGKILL: nothing is finished, nothing is closed.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.expect("it was running");
    }

    /// SIGTERM, and what it said on standard error; it must end well.
    pub(crate) async fn terminate(mut self) -> String {
        let id = self.child.id().expect("it runs").to_string();
        let told = Command::new("kill").args(["-TERM", &id]).status().await.expect("kill");
        assert!(told.success());
        let mut said = String::new();
        self.child.stderr.take().expect("errors").read_to_string(&mut said).await.expect("text");
        assert!(self.child.wait().await.expect("its end").success(), "{said}");
        said
    }

    /// The most memory it has had so far, in MiB; nothing where the system does not tell.
    pub(crate) fn peak_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()?)).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? / 1024)
    }
}
