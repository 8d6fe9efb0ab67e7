/** Compiles C# with Mono's compiler for .NET Core, whose runtime is a package of Python, and runs it there. */
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonProgram } from '../../../../../scripts/python-program.mjs';
import { output } from '../../../../../scripts/run.mjs';

const here = dirname(fileURLToPath(import.meta.url));
/** The compiler knows no asynchronous Main. */
const START = 'static class Start { static void Main(string[] a) { Shop.Main(a).GetAwaiter().GetResult(); } }';
const SETTINGS = { runtimeOptions: { framework: { name: 'Microsoft.NETCore.App', version: '3.1.0' } } };

/** The runtime, or why it can't be had. */
export const runtime = installed();

function installed() {
  if (output('mcs', ['--version']) === undefined) return { missing: 'mcs is missing' };
  try {
    const environment = dirname(dirname(pythonProgram('dotnetcore2', join(here, 'requirements.txt'), ['--no-deps'])));
    const [python = ''] = readdirSync(join(environment, 'lib'));
    const folder = join(environment, 'lib', python, 'site-packages/dotnetcore2/bin');
    chmodSync(join(folder, 'dotnet'), 0o755);
    const [version = ''] = readdirSync(join(folder, 'shared/Microsoft.NETCore.App'));
    return { program: join(folder, 'dotnet'), assemblies: join(folder, 'shared/Microsoft.NETCore.App', version) };
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}

/** Compiles a file with a class `Shop` into a folder, and returns the command that runs it. */
export function compiled(folder, source) {
  const { program = '', assemblies = '' } = runtime;
  const file = (name, content) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const sources = [source, file('Start.cs', START)];
  const settings = file('settings.json', JSON.stringify(SETTINGS));
  const references = readdirSync(assemblies).filter((name) =>
    /^(?:System\.(?!.*WindowsRuntime).*|netstandard|mscorlib)\.dll$/.test(name),
  );
  const made = join(folder, 'Shop.exe');
  const flags = ['-nostdlib', '-noconfig', '-sdk:none', '-main:Start', `-out:${made}`];
  const printed = output('mcs', [...flags, ...references.map((name) => `-r:${join(assemblies, name)}`), ...sources]);
  if (printed === undefined) throw new Error('mcs could not compile the program');
  return [program, 'exec', '--runtimeconfig', settings, made];
}
