//! The migrations of both databases.
//!
//! A released file is never changed, not even its comments: PostgreSQL databases contain a checksum of its
//! text. A change of the schema is a new file.

use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, TransactionBehavior};
use sqlx::SqlSafeStr as _;
use sqlx::migrate::{Migration, MigrationType, Migrator};

use super::error::StoreError;

/// The migrations of SQLite. `PRAGMA user_version` counts those that a file has.
const SQLITE: [&str; 1] = [include_str!("../../migrations/sqlite/1_orders.sql")];

/// Version, name and text of the migrations of PostgreSQL.
const POSTGRES: [(i64, &str, &str); 1] =
    [(1, "orders", include_str!("../../migrations/postgres/1_orders.sql"))];

/// Returns the migrations of PostgreSQL.
pub(super) fn postgres() -> Migrator {
    let migration = |(version, name, sql): (i64, &'static str, &'static str)| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(POSTGRES.map(migration).into())
}

/// Applies the migrations that an SQLite file lacks, in one transaction.
pub(super) fn migrate_sqlite(connection: &mut Connection) -> Result<(), StoreError> {
    // IMMEDIATE: if several processes start at once, one of them migrates and the others wait.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let applied = applied_to_sqlite(&transaction)?;
    let Some(new) = SQLITE.get(applied..) else { return Err(StoreError::NewerSchema) };
    for migration in new {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "user_version", i64::try_from(SQLITE.len()).unwrap_or(i64::MAX))?;
    transaction.commit()?;
    Ok(())
}

/// Returns the number of migrations that a file has. Release 0.1 stored it in a table of sqlx.
fn applied_to_sqlite(transaction: &Transaction<'_>) -> rusqlite::Result<usize> {
    let count = |row: &Row<'_>| Ok(row.get::<_, u32>(0)?.try_into().unwrap_or(usize::MAX));
    let applied = transaction.pragma_query_value(None, "user_version", count)?;
    let table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '_sqlx_migrations'";
    if applied > 0 || transaction.query_row(table, [], |_| Ok(())).optional()?.is_none() {
        return Ok(applied);
    }
    transaction.query_row("SELECT count(*) FROM _sqlx_migrations WHERE success", [], count)
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::{SQLITE, StoreError, migrate_sqlite};

    fn version(connection: &Connection) -> u32 {
        connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
    }

    #[test]
    fn a_new_file_is_migrated_once() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate_sqlite(&mut connection).unwrap();
        migrate_sqlite(&mut connection).unwrap();
        assert_eq!(version(&connection), 1);
        connection.execute_batch("SELECT digest FROM orders").unwrap();
    }

    #[test]
    fn a_file_of_0_1_keeps_its_tables() {
        let mut connection = Connection::open_in_memory().unwrap();
        // As sqlx 0.9 left it.
        connection
            .execute_batch(
                "CREATE TABLE _sqlx_migrations (
                     version BIGINT PRIMARY KEY, description TEXT NOT NULL,
                     installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
                     success BOOLEAN NOT NULL, checksum BLOB NOT NULL, execution_time BIGINT NOT NULL
                 );
                 INSERT INTO _sqlx_migrations VALUES (1, 'orders', '2026-01-01', TRUE, x'00', 1);",
            )
            .unwrap();
        connection.execute_batch(SQLITE[0]).unwrap();
        connection.execute_batch("INSERT INTO receipts VALUES (1501, 2301, 7)").unwrap();
        migrate_sqlite(&mut connection).unwrap();
        assert_eq!(version(&connection), 1);
        let last: i64 = connection.query_row("SELECT last FROM receipts", [], |row| row.get(0)).unwrap();
        assert_eq!(last, 7);
    }

    #[test]
    fn a_file_of_a_later_release_is_rejected() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.pragma_update(None, "user_version", 2).unwrap();
        assert!(matches!(migrate_sqlite(&mut connection), Err(StoreError::NewerSchema)));
    }
}
