import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileProblem, Problem, usageProblem } from '../problem.js';

/** The name of standard input. */
export const STDIN = '-';

/** Values that are read one at a time. */
export type Stream<Value> = AsyncGenerator<Value, void, void>;

/** Reads a file, or standard input, as UTF-8, piece by piece. A byte order mark is left out. */
export async function* textChunks(file: string): Stream<string> {
  await checkFile(file);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  try {
    for await (const chunk of file === STDIN ? process.stdin : createReadStream(file)) {
      const bytes = chunk as Buffer;
      if (isFirst && isUtf16(bytes)) throw encodingProblem(file, 'UTF-16');
      isFirst = false;
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    if (error instanceof Problem) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw encodingProblem(file, 'not valid UTF-8');
    throw openProblem(file, error);
  }
}

/** @throws Problem if a file can't be opened. */
export async function checkFile(file: string): Promise<void> {
  if (file === STDIN) return;
  const stats = await stat(file).catch((error: unknown) => {
    throw openProblem(file, error);
  });
  if (stats.isDirectory()) throw usageProblem(`${file} is a folder`);
}

export async function wholeText(file: string): Promise<string> {
  let text = '';
  for await (const chunk of textChunks(file)) text += chunk;
  return text;
}

function isUtf16(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

function encodingProblem(file: string, what: string): Problem {
  return fileProblem(`${file} is ${what}`, 'Save it as UTF-8.');
}

function openProblem(file: string, error: unknown): Problem {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return usageProblem(`there is no file ${file}`);
  if (code === 'EACCES' || code === 'EPERM') return usageProblem(`${file} may not be read`);
  return usageProblem(`${file} can't be read: ${message}`);
}

/** The core reads at most 32 MiB. It reports a longer text as too large without looking into it. */
export const CORE_LIMIT = 1 << 25;

/**
 * The text of an order while it is read, piece by piece. If it is too long for the core, only one character more than the
 * core reads is stored: the order is reported as too large, and the rest of the file is read.
 */
export class RecordText {
  #text = '';

  add(piece: string): void {
    if (this.#text.length <= CORE_LIMIT) this.#text += piece.slice(0, CORE_LIMIT + 1);
  }

  /** Returns the text, and begins the next one. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}
