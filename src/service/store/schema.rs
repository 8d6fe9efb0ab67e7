//! The versions of the schema; a file that was released is never changed, the next one is added.

use sqlx::SqlSafeStr as _;
use sqlx::migrate::{Migration, MigrationType, Migrator};

macro_rules! schema {
    ($folder:literal: $($version:literal $name:literal),*) => {
        Migrator::with_migrations(vec![$(Migration::new(
            $version,
            $name.into(),
            MigrationType::Simple,
            include_str!(concat!("../../../migrations/", $folder, "/", $version, "_", $name, ".sql")).into_sql_str(),
            false,
        )),*])
    };
}

pub(super) fn sqlite() -> Migrator {
    schema!("sqlite": 1 "orders")
}

pub(super) fn postgres() -> Migrator {
    schema!("postgres": 1 "orders")
}
