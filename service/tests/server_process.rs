//! The service as a separate process that can be killed and measured.

use std::net::SocketAddr;
use std::process::Stdio;

use sales_order_intake_service::Token;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdout, Command};

use super::client::Client;
use super::database::Database;
use super::test_server::{PATIENCE, registry};
use super::waiting::within_limit;

/// The binary under test.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_sales-order-intake-server");

pub(crate) struct ServerProcess {
    pub(crate) address: SocketAddr,
    pub(crate) client: Client,
    child: Child,
    stderr: BufReader<ChildStderr>,
    /// The part of standard error that has been read.
    log: String,
    /// Kept open because the service may still print.
    _stdout: BufReader<ChildStdout>,
}

/// Returns the environment of a service whose time limits no test reaches, unless its flags say otherwise.
pub(crate) fn patient() -> impl Iterator<Item = (String, String)> {
    let limits = ["HEADER", "BODY", "GRACE"].into_iter();
    limits.map(|limit| (format!("SALES_ORDER_INTAKE_{limit}_SECONDS"), PATIENCE.to_string()))
}

/// A registry file, which several processes can share; deleted when it is dropped.
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
        Self::start_by("exec \"$0\" \"$@\"", registry, database, flags).await
    }

    /// Starts the service by a shell script, whose arguments are the command.
    pub(crate) async fn start_by(
        script: &str,
        registry: &RegistryFile,
        database: &Database,
        flags: &[&str],
    ) -> Self {
        let mut child = Command::new("sh")
            .args(["-c", script, BINARY, "serve", "--listen", "127.0.0.1:0", "--registry", &registry.path])
            .args(flags)
            .env("DATABASE_URL", &database.url)
            .env("SALES_ORDER_INTAKE_LOG", "error")
            .envs(patient())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("a process");
        let mut stdout = BufReader::new(child.stdout.take().expect("its output"));
        let mut stderr = BufReader::new(child.stderr.take().expect("errors"));
        let mut line = String::new();
        within_limit("the service to start", stdout.read_line(&mut line)).await.expect("a line");
        let Some(address) = line.trim().strip_prefix("base URL  http://") else {
            let mut why = String::new();
            stderr.read_to_string(&mut why).await.expect("text");
            panic!("the service did not start: {why}");
        };
        let address = address.parse().expect("an address");
        let client = Client::new(address, registry.token.reveal());
        Self { address, client, child, stderr, log: String::new(), _stdout: stdout }
    }

    /// Sends SIGKILL, which interrupts everything.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.expect("it was running");
    }

    /// Sends a signal, such as TERM.
    pub(crate) async fn signal(&self, name: &str) {
        let status = Command::new("kill").args(["-s", name, &self.id().to_string()]).status().await;
        assert!(status.expect("kill").success());
    }

    /// Sends SIGTERM and asserts that the process exits with success. Returns its standard error.
    pub(crate) async fn terminate(self) -> String {
        self.signal("TERM").await;
        let (success, stderr) = self.wait().await;
        assert!(success, "{stderr}");
        stderr
    }

    /// Waits until the process exits. Returns whether it was successful, and its standard error.
    pub(crate) async fn wait(mut self) -> (bool, String) {
        let ended = async {
            self.stderr.read_to_string(&mut self.log).await.expect("text");
            self.child.wait().await.expect("it exits").success()
        };
        (within_limit("the service to end", ended).await, self.log)
    }

    /// Waits until the log contains this text.
    pub(crate) async fn wait_for_log(&mut self, text: &str) {
        while !self.log.contains(text) {
            let line = self.stderr.read_line(&mut self.log);
            let bytes = within_limit(&format!("{text:?} in the log"), line).await.expect("text");
            assert!(bytes > 0, "no {text:?}: {}", self.log);
        }
    }

    /// Waits until as many orders have waited for their commit since the start. The log must be at the level debug.
    pub(crate) async fn wait_for_waiting_orders(&mut self, count: usize) {
        while self.log.matches("order waits for its commit").count() < count {
            let line = self.stderr.read_line(&mut self.log);
            within_limit(&format!("{count} orders that wait"), line).await.expect("text");
        }
    }

    /// Repeats an action until the log contains this text.
    pub(crate) async fn do_until_log(&mut self, text: &str, mut action: impl AsyncFnMut(&Client)) {
        let client = self.client.clone();
        let again = async {
            loop {
                action(&client).await;
            }
        };
        tokio::select! {
            () = again => {}
            () = self.wait_for_log(text) => {}
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    /// Returns the peak memory of the process in MiB, or `None` if the system does not report it.
    pub(crate) fn peak_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()?)).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? / 1024)
    }
}

impl Drop for RegistryFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}
