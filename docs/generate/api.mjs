/** Writes the pages of the TypeScript API with TypeDoc, from the types of the built package. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Application } from 'typedoc';
import { pkg, root } from '../../scripts/places.mjs';

/** The entries of the package that have types of their own. */
const ENTRIES = ['', 'client', 'testing', 'outbox', 'outbox/sqlite', 'outbox/postgres', 'outbox/conformance'];
const NAME = 'sales-order-intake';

export async function writeApi(out) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const docs = join(root, 'docs');
  /** @type {Record<string, unknown>} */
  const options = {
    name: NAME,
    plugin: ['typedoc-plugin-markdown', 'typedoc-vitepress-theme'],
    entryPoints: ENTRIES.map((entry) => join(pkg, 'dist/esm', entry, 'index.d.ts')),
    tsconfig: join(docs, 'generate/tsconfig.api.json'),
    // The drivers of databases are the user's: their types are not installed.
    skipErrorChecking: true,
    readme: 'none',
    disableSources: true,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'list',
    router: 'member',
    out,
    docsRoot: docs,
    logLevel: 'Warn',
  };
  const app = await Application.bootstrapWithPlugins(options);
  const project = await app.convert();
  if (!project?.children) throw new Error('TypeDoc could not read the types of the package');
  for (const entry of project.children) entry.name = entry.name === 'index' ? NAME : `${NAME}/${entry.name}`;
  await app.generateOutputs(project);
  if (app.logger.hasErrors()) throw new Error('TypeDoc reported errors');
}
