import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { EXIT, Problem, usageProblem } from '../problem.js';

/** The name of standard input. */
export const STDIN = '-';

/** Values that are read one at a time. */
export type Stream<Value> = AsyncGenerator<Value, void, void>;

/** The file that is being read, how much of it was read, and its size; 0 if the size is unknown. */
export let reading: { file: string; bytes: number; size: number } | null = null;

/**
 * Reads a file, or standard input, piece by piece. A byte order mark is left out.
 *
 * @param table For a file that is not JSON, which is UTF-8: its encoding if it has no byte order mark, UTF-8 if undefined.
 * @throws EncodingProblem if it has another encoding.
 */
export async function* textChunks(file: string, table?: { encoding: string | undefined }): Stream<string> {
  const now = { file, bytes: 0, size: await checkFile(file) };
  reading = now;
  let decoder: TextDecoder | undefined;
  let line = 1;
  let last = new Uint8Array();
  try {
    for await (const chunk of file === STDIN ? process.stdin : createReadStream(file)) {
      last = chunk as Uint8Array<ArrayBuffer>;
      now.bytes += last.length;
      decoder ??= decoderOf(file, last, table);
      const text = decoder.decode(last, { stream: true });
      line += countOf('\n', text);
      yield text;
    }
    if (decoder) yield decoder.decode();
  } catch (error) {
    if (error instanceof Problem) throw error;
    // The decoder throws a TypeError.
    if (!(error instanceof TypeError) || !decoder) throw openProblem(file, error);
    const name = decoder.encoding.replace('utf', 'UTF');
    const [valid = ''] = new TextDecoder(decoder.encoding).decode(last).split('\ufffd', 1);
    throw new EncodingProblem(file, `not valid ${name}: look at line ${line + countOf('\n', valid)}`);
  } finally {
    reading = null;
  }
}

/** The byte order marks of encodings. */
const MARKS = { 'utf-8': [0xef, 0xbb, 0xbf], 'utf-16le': [0xff, 0xfe], 'utf-16be': [0xfe, 0xff] };
/** The first bytes of a ZIP archive, such as a workbook of Excel. */
const ZIP = [0x50, 0x4b, 3, 4];

function decoderOf(file: string, bytes: Uint8Array, table?: { encoding: string | undefined }): TextDecoder {
  const begins = (mark: readonly number[]) => mark.every((byte, index) => byte === bytes[index]);
  if (begins(ZIP)) throw new Problem(`${file} is a workbook or an archive`, EXIT.invalid, 'Save it as CSV UTF-8.');
  const marked = Object.entries(MARKS).find(([, mark]) => begins(mark));
  const label = marked?.[0] ?? table?.encoding ?? 'utf-8';
  if (!table && label !== 'utf-8') throw new EncodingProblem(file, 'UTF-16');
  // In UTF-16, each second byte of most characters is zero.
  const head = bytes.subarray(0, 1000);
  if (!label.startsWith('utf-16') && head.filter((byte) => byte === 0).length > head.length / 4) {
    const order = head.indexOf(0) % 2 === 0 ? 'be' : 'le';
    throw new EncodingProblem(file, `UTF-16 without a byte order mark, which "encoding": "utf-16${order}" names`);
  }
  return new TextDecoder(label, { fatal: true });
}

/** A file that has another encoding. */
export class EncodingProblem extends Problem {
  constructor(file: string, what: string) {
    const hint = 'Save it as UTF-8, or set "encoding" in the mapping of a CSV file, such as "windows-1252".';
    super(`${file} is ${what}`, EXIT.invalid, hint);
  }
}

export function countOf(part: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count++;
  return count;
}

/** Returns the size of a file; 0 if it is unknown. @throws Problem if it can't be opened. */
export async function checkFile(file: string): Promise<number> {
  if (file === STDIN) return 0;
  const stats = await stat(file).catch((error: unknown) => {
    throw openProblem(file, error);
  });
  if (stats.isDirectory()) throw usageProblem(`${file} is a folder`);
  return stats.size;
}

export async function wholeText(file: string): Promise<string> {
  let text = '';
  for await (const chunk of textChunks(file)) text += chunk;
  return text;
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
