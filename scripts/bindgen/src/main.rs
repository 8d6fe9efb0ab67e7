//! Runs wasm-bindgen on a module: `bindgen <module.wasm> <output.wasm>`. Writes the JavaScript for it and its types beside the output.

use std::{env, error::Error, fs, path::PathBuf};

use wasm_bindgen_cli_support::{Bindgen, EncodeInto};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [module, output] = arguments.as_slice() else {
        return Err("usage: bindgen <module.wasm> <output.wasm>".into());
    };
    let mut bindgen = Bindgen::new();
    // The JavaScript for bundlers starts no module itself: the package does (pkg-template/src/program.ts).
    bindgen.bundler(true)?.typescript(true).encode_into(EncodeInto::Always);
    // The name is a part of the module: that of the file it imports from.
    bindgen.input_path(module).out_name("module").remove_producers_section(true);
    let mut generated = bindgen.generate_output()?;
    fs::write(output.with_extension("js"), generated.start().ok_or("no JavaScript")?)?;
    fs::write(output.with_extension("d.ts"), generated.ts().unwrap_or_default())?;
    fs::write(output, generated.wasm_mut().emit_wasm())?;
    Ok(())
}
