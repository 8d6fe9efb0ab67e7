import { watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { interruption } from '../interruption.js';
import { EXIT, type ExitCode } from '../exit-code.js';

/** Editors write a file in several steps. */
const SETTLE_MS = 100;

/** Runs an action now and after each change of a file, until Ctrl-C. Returns the last result. */
export async function watchFiles(files: readonly string[], action: () => Promise<ExitCode>): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const again = () => {
    running = running.then(async () => {
      code = await action();
    });
    return running;
  };
  // Folders, because editors replace files.
  const watchers = [...new Set(files.map((file) => dirname(resolve(file))))].map((folder) => {
    const names = new Set(files.filter((file) => dirname(resolve(file)) === folder).map((file) => basename(file)));
    return watch(folder, (_, name) => {
      if (name === null || !names.has(name)) return;
      clearTimeout(timer);
      timer = setTimeout(again, SETTLE_MS);
    });
  });
  await again();
  await interruption();
  clearTimeout(timer);
  for (const watcher of watchers) watcher.close();
  await running;
  return code;
}
