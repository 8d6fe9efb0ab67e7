//! A separate database for every test: an SQLite file, or a database on the server of TEST_DATABASE_URL.

use std::str::FromStr as _;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rusqlite::Connection;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, Postgres, Transaction, query, query_as};

/// A database that no other test uses.
pub(crate) struct Database {
    pub(crate) url: String,
}

/// A lock of the orders, held by a transaction.
pub(crate) enum Lock {
    Sqlite(Connection),
    Postgres(Transaction<'static, Postgres>),
}

impl Lock {
    pub(crate) async fn release(self) {
        match self {
            Self::Sqlite(connection) => drop(connection),
            Self::Postgres(transaction) => transaction.rollback().await.expect("released"),
        }
    }
}

static COUNT: AtomicU32 = AtomicU32::new(0);

impl Database {
    pub(crate) async fn new() -> Self {
        let name = format!("orders_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let Ok(server) = std::env::var("TEST_DATABASE_URL") else {
            let file = format!("{}/{name}.sqlite", env!("CARGO_TARGET_TMPDIR"));
            for suffix in ["", "-wal", "-shm"] {
                // From an earlier run that had the same process id.
                let _ = std::fs::remove_file(format!("{file}{suffix}"));
            }
            return Self { url: format!("sqlite:{file}") };
        };
        let create = AssertSqlSafe(format!("CREATE DATABASE {name}"));
        query(create).execute(&connect(&server).await).await.expect("a new database");
        let (base, _) = server.rsplit_once('/').expect("postgres://…/<database>");
        Self { url: format!("{base}/{name}") }
    }

    /// Deletes all orders, but not the counters of receipt numbers.
    pub(crate) async fn clear(&self) {
        match self.sqlite() {
            Some(connection) => {
                connection.execute("DELETE FROM orders", []).expect("deleted");
            }
            None => {
                let pool = connect(&self.url).await;
                query("DELETE FROM orders").execute(&pool).await.expect("deleted");
            }
        }
    }

    /// Returns id, receipt number and body of every order, by location and receipt number.
    pub(crate) async fn orders(&self) -> Vec<(Vec<u8>, i64, String)> {
        let all = "SELECT id, receipt, body FROM orders ORDER BY company, entity, receipt";
        match self.sqlite() {
            Some(connection) => {
                let mut select = connection.prepare(all).expect("a statement");
                let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
                rows.expect("rows").map(|row| row.expect("an order")).collect()
            }
            None => query_as(all).fetch_all(&connect(&self.url).await).await.expect("orders"),
        }
    }

    /// Replaces the digest of every order.
    pub(crate) async fn set_digests(&self, digest: &[u8]) {
        match self.sqlite() {
            Some(connection) => {
                connection.execute("UPDATE orders SET digest = ?", [digest]).expect("updated");
            }
            None => {
                let update = query("UPDATE orders SET digest = $1").bind(digest);
                update.execute(&connect(&self.url).await).await.expect("updated");
            }
        }
    }

    /// Returns the database file, or `None` if it is PostgreSQL.
    pub(crate) fn file(&self) -> Option<&str> {
        self.url.strip_prefix("sqlite:")
    }

    /// Locks the orders, so that nobody can store one.
    pub(crate) async fn lock(&self) -> Lock {
        match self.sqlite() {
            Some(connection) => {
                connection.execute_batch("BEGIN IMMEDIATE").expect("locked");
                Lock::Sqlite(connection)
            }
            None => {
                let mut transaction = connect(&self.url).await.begin().await.expect("a transaction");
                let lock = query("LOCK TABLE orders IN ACCESS EXCLUSIVE MODE");
                lock.execute(&mut *transaction).await.expect("locked");
                Lock::Postgres(transaction)
            }
        }
    }

    /// Runs a statement that both databases understand.
    pub(crate) async fn execute(&self, sql: &'static str) {
        match self.sqlite() {
            Some(connection) => {
                connection.execute(sql, []).expect("executed");
            }
            None => {
                query(sql).execute(&connect(&self.url).await).await.expect("executed");
            }
        }
    }

    fn sqlite(&self) -> Option<Connection> {
        let file = self.file()?;
        let connection = Connection::open(file).expect("the file");
        connection.busy_timeout(Duration::from_secs(10)).expect("set");
        Some(connection)
    }
}

async fn connect(url: &str) -> PgPool {
    let options = PgConnectOptions::from_str(url).expect("a URL");
    PgPoolOptions::new().connect_with(options).await.expect("the server responds")
}
