//! The service as a separate process that can be killed and measured.

use std::net::SocketAddr;
use std::process::Stdio;

use sales_order_intake::service::Token;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{Child, ChildStdout, Command};

use super::client::Client;
use super::database::Database;
use super::test_server::registry;

/// The binary under test.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_sales-order-intake-server");

pub(crate) struct ServerProcess {
    pub(crate) address: SocketAddr,
    pub(crate) client: Client,
    child: Child,
    /// Kept open because the service may still print.
    _stdout: BufReader<ChildStdout>,
}

/// A registry file, which several processes can share.
pub(crate) struct RegistryFile {
    path: String,
    pub(crate) token: Token,
}

impl RegistryFile {
    pub(crate) fn new(name: &str) -> Self {
        let token = Token::new_random().expect("a random source");
        let registry = registry(&token);
        Self::with(name, token, &registry)
    }

    pub(crate) fn with(name: &str, token: Token, registry: &str) -> Self {
        let path = format!("{}/{name}-{}.toml", env!("CARGO_TARGET_TMPDIR"), std::process::id());
        std::fs::write(&path, registry).expect("written");
        Self { path, token }
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }
}

impl ServerProcess {
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
            panic!("the service did not start: {why}");
        };
        let address = address.parse().expect("an address");
        let client = Client::new(address, registry.token.reveal());
        Self { address, client, child, _stdout: stdout }
    }

    /// Sends SIGKILL, which interrupts everything.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.expect("it was running");
    }

    /// Sends SIGTERM and asserts that the process exits with success. Returns its standard error.
    pub(crate) async fn terminate(mut self) -> String {
        let id = self.child.id().expect("it runs").to_string();
        let status = Command::new("kill").args(["-TERM", &id]).status().await.expect("kill");
        assert!(status.success());
        let mut stderr = String::new();
        self.child.stderr.take().expect("errors").read_to_string(&mut stderr).await.expect("text");
        assert!(self.child.wait().await.expect("it exits").success(), "{stderr}");
        stderr
    }

    /// Returns the peak memory of the process in MiB, or `None` if the system does not report it.
    pub(crate) fn peak_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()?)).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? / 1024)
    }
}
