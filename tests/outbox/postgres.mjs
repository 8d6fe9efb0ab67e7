/** The store on PostgreSQL, from a copy of the package that finds pg. */
import { cpSync, existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, target } from '../../scripts/places.mjs';
import { fingerprint, installedFile } from '../node/installed.mjs';

/** Not in the folders above the installed package, which would find pg there. */
export const MODULES = join(root, 'tests/node_modules');
export const URL_OF_TESTS = process.env.TEST_DATABASE_URL;

/** Returns the folder of a project with the package, pg, and the libraries of the examples. */
export function projectWithPostgres() {
  const folder = join(target, 'outbox', `postgres-${fingerprint()}`);
  if (existsSync(folder)) return folder;
  const aside = `${folder}-${process.pid}`;
  const modules = join(aside, 'node_modules');
  mkdirSync(modules, { recursive: true });
  cpSync(installedFile('.'), join(modules, 'sales-order-intake'), { recursive: true });
  for (const name of ['pg', 'kysely', 'drizzle-orm']) {
    symlinkSync(join(MODULES, name), join(modules, name), 'junction');
  }
  try {
    renameSync(aside, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

export const { postgresSchema, postgresStore } = await import(
  pathToFileURL(join(projectWithPostgres(), 'node_modules/sales-order-intake/dist/esm/outbox/postgres/index.js')).href
);
const pg = await import(pathToFileURL(join(MODULES, 'pg/esm/index.mjs')).href);
export const { Pool } = pg;

let schemas = 0;
/** Returns the name of a schema that nothing else uses. */
export function newSchema() {
  return `outbox_${process.pid}_${Date.now().toString(36)}_${schemas++}`;
}
