//! Runs wasm-bindgen on a module: `bindgen <module.wasm> <output.wasm>`.
//!
//! Writes no JavaScript, because the package has a loader of its own (`pkg-template/src/boundary.ts`).

use std::{env, error::Error, fs, path::PathBuf};

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [module, output] = arguments.as_slice() else {
        return Err("usage: bindgen <module.wasm> <output.wasm>".into());
    };
    let mut bindgen = Bindgen::new();
    // The name is a part of the module: that of the file it imports from.
    bindgen.input_path(module).out_name("core").web(true)?.remove_producers_section(true);
    let wasm = bindgen.generate_output()?.wasm_mut().emit_wasm();
    fs::write(output, wasm)?;
    Ok(())
}
