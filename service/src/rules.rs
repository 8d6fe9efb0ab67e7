//! The decisions of the service, without I/O: they take what was sent, the registry, the results of a store and the time, and
//! return a response, or what to store. `http` calls them.
//!
//! | Module | Contents |
//! |---|---|
//! | `operation` | the path: version and order Id |
//! | `authorization` | compares the token; decides what it may do |
//! | `media_type` | Accept and Content-Type |
//! | `injected_fault` | faults on request or at random |
//! | `put_order` | from a request to its response |
//! | `intake` | checks an order and prints it as it will be stored |
//! | `new_order` | an order that is to be stored, and what the store returns |
//! | `replay` | whether an order is the stored one with its Id: a replay or a conflict (D28, D49) |

pub(crate) mod authorization;
pub(crate) mod injected_fault;
pub(crate) mod intake;
pub(crate) mod media_type;
pub(crate) mod new_order;
pub(crate) mod operation;
pub(crate) mod put_order;
pub(crate) mod replay;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// Returns the files of a module: its own, and those in its folder.
    fn files_of(module: &str) -> Vec<PathBuf> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(module);
        let mut files = vec![path.with_extension("rs")];
        let mut folders = vec![path];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        files.retain(|file| !file.ends_with("tests.rs"));
        files
    }

    #[test]
    fn the_rules_use_neither_async_functions_nor_a_library_that_does_io() {
        let files = ["rules", "problem", "registry", "token"].map(files_of).concat();
        assert!(files.len() > 15, "{files:?}");
        for file in files {
            let source = fs::read_to_string(&file).unwrap();
            let code = source.split("#[cfg(test)]").next().unwrap_or_default();
            for word in [
                "async ", ".await", "axum", "hyper", "tokio", "tower", "sqlx", "rusqlite", "std::fs",
                "std::net", "::now()",
            ] {
                assert!(!code.contains(word), "{word} in {}", file.display());
            }
        }
    }
}
