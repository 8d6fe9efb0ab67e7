/** Copies a journal while it is used, and puts a copy back (D68). */
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { OutboxError } from 'sales-order-intake/outbox';
import { type FileStore, restoreFile, sqliteStore } from 'sales-order-intake/outbox/sqlite';
import type { Invocation } from '../arguments/invocation.js';
import { CALLED, shellWord } from '../arguments/program.js';
import { assertDistinct } from '../files/distinct-files.js';
import { counted, number } from '../output/printable-text.js';
import { EXIT, type ExitCode, usageProblem } from '../problem.js';
import {
  assertSound,
  existingJournal,
  filesOfJournal,
  openQuietly,
  placeOfJournal,
  assertSqlite,
} from '../sending/journal-file.js';
import { isDamage, openProblem, readProblem } from '../sending/journal-problem.js';
import { type OpenOutbox, withJournal, withReader } from './selection.js';

/** Writes a copy of a journal, or of another outbox, which may be in use. */
export async function backUp({ terminal }: Invocation, file: string, to: string): Promise<ExitCode> {
  assertSqlite('outbox');
  const path = existingJournal(file);
  if (existsSync(to)) throw usageProblem(`there is a file ${to} already`, 'Name a new file for the backup.');
  assertFolder(to);
  let store: FileStore | undefined;
  try {
    store = sqliteStore(path, { readOnly: true });
    terminal.err.draw(copying(path));
    assertSound(path);
    await store.backup(to);
  } catch (error) {
    if (isDamage(error)) throw readProblem(path, error);
    const isOfCopy = error instanceof OutboxError && error.reason !== 'restored';
    throw openProblem(isOfCopy ? to : path, error, 'nothing was backed up');
  } finally {
    await store?.close();
  }
  terminal.out.line(`${to} has all that ${path} had.`);
  if (hasOtherTables(path)) {
    const advice = 'Restore it as that program says, then open the outbox once with { restored: true }';
    terminal.err.line(`It has personal data, and tables of another program. ${advice}.`);
    return EXIT.done;
  }
  terminal.err.line('It has personal data. To put it back:');
  terminal.err.line(`  ${CALLED} outbox ${shellWord(path)} restore ${shellWord(to)}`);
  return EXIT.done;
}

/** Returns true for a database of the shop, which `restore` can't put back. */
function hasOtherTables(path: string): boolean {
  const database = openQuietly(path);
  const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;
  const names = (database.prepare(sql).all() as { name: string }[]).map(({ name }) => name);
  database.close();
  return names.some((name) => !/^(outbox|send)_/.test(name));
}

/** A copy takes all the time of this process, so nothing can be drawn meanwhile. */
function copying(file: string): string[] {
  return [`Checking and copying ${number(Math.ceil(statSync(file).size / 1e6))} MB …`];
}

function assertFolder(path: string): void {
  const folder = dirname(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw usageProblem(`there is no folder ${folder}`, 'Create it first.');
}

/** Puts a backup in the place of a journal; or accepts one that was put there by other means, if none is named. */
export async function restore(invocation: Invocation, file: string, backup: string | undefined): Promise<ExitCode> {
  const { out, err } = invocation.terminal;
  if (backup === undefined) {
    return withJournal(
      file,
      (journal, path) => {
        out.write('The file is accepted. ');
        return showStalled(invocation, journal, path);
      },
      true,
    );
  }
  assertSqlite('outbox');
  const path = placeOfJournal(file);
  if (!existsSync(backup)) throw usageProblem(`there is no file ${backup}`);
  assertFolder(path);
  const files = filesOfJournal(path).map((each) => ({ name: 'the journal', path: each }));
  assertDistinct([{ name: 'the backup', path: backup }], files);
  err.line('If this is interrupted, run it again.');
  err.draw(copying(backup));
  const before = await restoreFile(path, backup).catch((error: unknown) => {
    throw openProblem(path, error, 'nothing was restored');
  });
  err.draw([]);
  if (before !== null) out.line(`The previous file is now ${before}.`);
  out.write(`${path} has what ${backup} has. `);
  return withReader(path, (journal) => showStalled(invocation, journal, path));
}

/** Says what has become of the orders that waited in a file that was restored. */
async function showStalled({ terminal }: Invocation, { outbox }: OpenOutbox, path: string): Promise<ExitCode> {
  let stalled = 0;
  for await (const _ of outbox.list({ state: 'stalled', reason: 'restored', contents: false })) stalled++;
  const [order, have] = [counted(stalled, 'order'), stalled === 1 ? 'has' : 'have'];
  terminal.out.line(`${order} that waited in it ${have} stalled.`);
  if (stalled === 0) return EXIT.done;
  const doubt = 'They may have been sent, cancelled or corrected since the backup';
  terminal.err.line(`${doubt}: look for them at the point of sale. To send all:`);
  terminal.err.line(`  ${CALLED} outbox ${shellWord(path)} retry --state stalled --reason restored`);
  return EXIT.done;
}
