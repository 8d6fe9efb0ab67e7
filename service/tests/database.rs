//! A separate database for every test: an SQLite file, or a database on the server of TEST_DATABASE_URL.

use std::str::FromStr as _;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rusqlite::Connection;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, Executor as _, Postgres, Transaction, query, query_as, query_scalar};

/// A database that no other test uses. A file is deleted when this is dropped; a database in PostgreSQL is
/// deleted with its server, which is private (scripts/with-postgres.mjs).
pub(crate) struct Database {
    pub(crate) url: String,
}

/// A lock of the tables: readers go on, writers wait.
pub(crate) enum Lock {
    Sqlite(Connection),
    Postgres(Transaction<'static, Postgres>),
}

static COUNT: AtomicU32 = AtomicU32::new(0);

impl Database {
    pub(crate) async fn new() -> Self {
        let Ok(server) = std::env::var("TEST_DATABASE_URL") else { return Self::sqlite() };
        let name = new_name();
        let create = AssertSqlSafe(format!("CREATE DATABASE {name}"));
        query(create).execute(&connect(&server).await).await.expect("a new database");
        let (base, _) = server.rsplit_once('/').expect("postgres://…/<database>");
        Self { url: format!("{base}/{name}") }
    }

    /// Returns an SQLite file, whatever the other tests use.
    pub(crate) fn sqlite() -> Self {
        let database = Self { url: format!("sqlite:{}/{}.sqlite", env!("CARGO_TARGET_TMPDIR"), new_name()) };
        // From an earlier run that had the same process id and was killed.
        database.delete_files();
        database
    }

    /// Returns id, receipt number and body of every order, by location and receipt number.
    pub(crate) async fn orders(&self) -> Vec<(Vec<u8>, i64, String)> {
        let all = "SELECT id, receipt, body FROM orders ORDER BY company, entity, receipt";
        match self.connection() {
            Some(connection) => {
                let mut select = connection.prepare(all).expect("a statement");
                let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
                rows.expect("rows").map(|row| row.expect("an order")).collect()
            }
            None => query_as(all).fetch_all(&connect(&self.url).await).await.expect("orders"),
        }
    }

    pub(crate) fn is_postgres(&self) -> bool {
        !self.url.starts_with("sqlite:")
    }

    /// Returns the database file, or `None` if it is PostgreSQL.
    pub(crate) fn file(&self) -> Option<&str> {
        self.url.strip_prefix("sqlite:")
    }

    /// Runs statements that both databases understand, or that are for the one in use.
    pub(crate) async fn execute(&self, statements: &str) {
        match self.connection() {
            Some(connection) => connection.execute_batch(statements).expect("executed"),
            None => {
                let pool = connect(&self.url).await;
                pool.execute(AssertSqlSafe(statements.to_owned())).await.expect("executed");
            }
        }
    }

    /// Returns the string that a query of PostgreSQL selects.
    pub(crate) async fn text(&self, select: &str) -> String {
        let select = query_scalar(AssertSqlSafe(select.to_owned()));
        select.fetch_one(&connect(&self.url).await).await.expect("a row")
    }

    /// Makes every order of a location fail when it is inserted.
    pub(crate) async fn refuse_orders_of(&self, entity: u32) {
        let trigger = if self.is_postgres() {
            format!(
                "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
                     'BEGIN IF NEW.entity = {entity} THEN RAISE EXCEPTION ''refused''; END IF; RETURN NEW; END';
                 CREATE TRIGGER refuse BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION refuse()"
            )
        } else {
            format!(
                "CREATE TRIGGER refuse BEFORE INSERT ON orders WHEN NEW.entity = {entity}
                 BEGIN SELECT RAISE(ABORT, 'refused'); END"
            )
        };
        self.execute(&trigger).await;
    }

    /// Makes all writers wait until the lock is released; readers go on.
    pub(crate) async fn lock(&self) -> Lock {
        match self.connection() {
            Some(connection) => {
                connection.execute_batch("BEGIN IMMEDIATE").expect("locked");
                Lock::Sqlite(connection)
            }
            None => {
                let mut transaction = connect(&self.url).await.begin().await.expect("a transaction");
                query("LOCK TABLE orders, receipts IN EXCLUSIVE MODE")
                    .execute(&mut *transaction)
                    .await
                    .expect("locked");
                Lock::Postgres(transaction)
            }
        }
    }

    fn delete_files(&self) {
        if let Some(file) = self.file() {
            for suffix in ["", "-wal", "-shm"] {
                let _ = std::fs::remove_file(format!("{file}{suffix}"));
            }
        }
    }

    fn connection(&self) -> Option<Connection> {
        let file = self.file()?;
        let connection = Connection::open(file).expect("the file");
        connection.busy_timeout(Duration::from_secs(60)).expect("set");
        Some(connection)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.delete_files();
    }
}

fn new_name() -> String {
    format!("orders_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

impl Lock {
    pub(crate) async fn release(self) {
        match self {
            Self::Sqlite(connection) => connection.execute_batch("ROLLBACK").expect("released"),
            Self::Postgres(transaction) => transaction.rollback().await.expect("released"),
        }
    }
}

async fn connect(url: &str) -> PgPool {
    let options = PgConnectOptions::from_str(url).expect("a URL");
    PgPoolOptions::new().connect_with(options).await.expect("the server responds")
}
