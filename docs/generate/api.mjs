/** Writes the pages of the TypeScript API with TypeDoc, from the types of the built package. */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application } from 'typedoc';
import { pkg, root } from '../../scripts/places.mjs';
import { linked } from './references.mjs';

/** The entries of the package that have types of their own. */
const ENTRIES = ['', 'client', 'testing', 'outbox', 'outbox/page', 'outbox/sqlite', 'outbox/postgres', 'opentelemetry'];
const NAME = 'sales-order-intake';

export async function writeApi(out) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const docs = join(root, 'docs');
  /** @type {Record<string, unknown>} */
  const options = {
    name: NAME,
    plugin: ['typedoc-plugin-markdown', 'typedoc-vitepress-theme'],
    entryPoints: ENTRIES.map((entry) => join(pkg, 'dist/cjs', entry, 'index.d.ts')),
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
    pageTitleTemplates: { module: ({ name }) => (name === NAME ? name : `${NAME}/${name}`) },
    out,
    docsRoot: docs,
    logLevel: 'Warn',
  };
  const app = await Application.bootstrapWithPlugins(options);
  const project = await app.convert();
  if (!project?.children) throw new Error('TypeDoc could not read the types of the package');
  for (const entry of project.children) if (entry.name === 'index') entry.name = NAME;
  await app.generateOutputs(project);
  linkReferences(out);
  if (app.logger.hasErrors()) throw new Error('TypeDoc reported errors');
}

/** Links decisions and sections of the specification, outside code. */
function linkReferences(folder) {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  for (const name of pages) {
    const file = join(folder, name);
    const parts = readFileSync(file, 'utf8').split(/(^```[\s\S]*?^```|`[^`\n]*`)/m);
    writeFileSync(file, parts.map((part, index) => (index % 2 === 0 ? linked(part) : part)).join(''));
  }
}
