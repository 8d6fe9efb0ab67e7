//! A database of its own for every test: a SQLite file, or one in the cluster of TEST_DATABASE_URL.

use std::str::FromStr as _;
use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{AssertSqlSafe, query, query_as};

/// A database that nothing else uses.
pub(crate) struct Database {
    pub(crate) url: String,
}

static COUNT: AtomicU32 = AtomicU32::new(0);

impl Database {
    pub(crate) async fn new() -> Self {
        let name = format!("orders_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let Ok(cluster) = std::env::var("TEST_DATABASE_URL") else {
            let file = format!("{}/{name}.sqlite", env!("CARGO_TARGET_TMPDIR"));
            for suffix in ["", "-wal", "-shm"] {
                // From a run whose process had the same number.
                let _ = std::fs::remove_file(format!("{file}{suffix}"));
            }
            return Self { url: format!("sqlite:{file}") };
        };
        let options = PgConnectOptions::from_str(&cluster).expect("a URL");
        let pool = PgPoolOptions::new().connect_with(options).await.expect("the cluster answers");
        query(AssertSqlSafe(format!("CREATE DATABASE {name}"))).execute(&pool).await.expect("a new database");
        let (server, _) = cluster.rsplit_once('/').expect("postgres://…/<database>");
        Self { url: format!("{server}/{name}") }
    }

    /// Forgets every order, but no receipt number.
    pub(crate) async fn clear(&self) {
        if self.url.starts_with("sqlite:") {
            let pool = SqlitePoolOptions::new().connect_with(self.sqlite()).await.expect("the file");
            query("DELETE FROM orders").execute(&pool).await.expect("deleted");
        } else {
            let options = PgConnectOptions::from_str(&self.url).expect("a URL");
            let pool = PgPoolOptions::new().connect_with(options).await.expect("the database");
            query("DELETE FROM orders").execute(&pool).await.expect("deleted");
        }
    }

    /// Id, receipt number and body of every order, by location and receipt number.
    pub(crate) async fn orders(&self) -> Vec<(Vec<u8>, i64, String)> {
        let all = "SELECT id, receipt, body FROM orders ORDER BY company, entity, receipt";
        if self.url.starts_with("sqlite:") {
            let pool = SqlitePoolOptions::new().connect_with(self.sqlite()).await.expect("the file");
            query_as(all).fetch_all(&pool).await.expect("orders")
        } else {
            let options = PgConnectOptions::from_str(&self.url).expect("a URL");
            let pool = PgPoolOptions::new().connect_with(options).await.expect("the database");
            query_as(all).fetch_all(&pool).await.expect("orders")
        }
    }

    fn sqlite(&self) -> SqliteConnectOptions {
        SqliteConnectOptions::from_str(&self.url).expect("a URL")
    }
}
