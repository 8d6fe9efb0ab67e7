/**
 * Reads the header of a database file, and those in its write-ahead log: see "Database File Format" and "WAL-mode File Format" of
 * SQLite. SQLite recovers a log into whatever file it finds beside it, so this is done before SQLite opens the file.
 */
import { fileSystem, statsOf } from './file-system.js';

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The magic number of a log; the last bit says whether its checksums are of big-endian words. */
const LOG_MAGIC = 0x377f0682;

/** The header of a database, which is the beginning of its first page. */
interface Header {
  /** `user_version`: of a file of the outbox, the number of its last change. */
  sequence: number;
  /** `schema_version`: grows with each change of tables, and with VACUUM. */
  schema: number;
}

/** The header of the file without its log. It stays open with the store: closing a file releases the locks that the process has on it. */
export class FileHeader {
  readonly #path: string;
  readonly #file: number;
  /** Null if the file is not a database. */
  value: Header | null;

  constructor(path: string) {
    this.#path = path;
    this.#file = fileSystem().openSync(path, 'r');
    this.value = this.#read();
  }

  /** Returns false if there is a log that belongs to another file. */
  hasOwnLog(): boolean {
    return !hasLog(this.#path) || isLogOf(this.value, `${this.#path}-wal`);
  }

  /** Returns false if the file has been overwritten since {@link FileHeader.note}. Another connection may have copied the log into it. */
  isOwn(): boolean {
    const { value } = this;
    this.note();
    const isSame = value?.sequence === this.value?.sequence && value?.schema === this.value?.schema;
    if (isSame || this.hasOwnLog()) return true;
    this.value = value;
    return false;
  }

  /** Notes a change by this process. */
  note(): void {
    this.value = this.#read();
  }

  close(): void {
    fileSystem().closeSync(this.#file);
  }

  #read(): Header | null {
    const header = readerOf(this.#file)(0, HEADER_BYTES);
    const magic = header && String.fromCharCode(...new Uint8Array(header.buffer, 0, MAGIC.length));
    return header && magic === MAGIC ? headerIn(header, 0) : null;
  }
}

/** Returns true if a file has a log that is not empty. */
export function hasLog(path: string): boolean {
  return (statsOf(`${path}-wal`)?.size ?? 0) > 0;
}

/**
 * Returns false if a log is that of another file. The file itself changes only when pages of its log are copied into it. So its
 * first page is one of those in the log, or the one before: each transaction of the outbox writes the first page, and increases the
 * sequence. VACUUM INTO, which moves pages, changes `schema_version`.
 *
 * @param header That of the file without its log; null if it is empty.
 */
function isLogOf(header: Header | null, path: string): boolean {
  let isFirst = true;
  for (const page of firstPages(path)) {
    if (!header) return false;
    const changes = (page.sequence - header.sequence) | 0;
    const isNext = isFirst && (changes === 0 || changes === 1) && page.schema >= header.schema;
    if (isNext || (changes === 0 && page.schema === header.schema)) return true;
    isFirst = false;
  }
  return isFirst;
}

/** Returns the headers in the committed first pages of a log, oldest first. Nothing else in it counts for SQLite either. */
function firstPages(path: string): Header[] {
  const { openSync, closeSync } = fileSystem();
  const file = openSync(path, 'r');
  try {
    return firstPagesIn(readerOf(file));
  } finally {
    closeSync(file);
  }
}

function firstPagesIn(read: Read): Header[] {
  const pages: Header[] = [];
  const log = read(0, LOG_HEADER_BYTES);
  if (!log || (log.getUint32(0) & ~1) >>> 0 !== LOG_MAGIC) return pages;
  const checksum = new Checksum((log.getUint32(0) & 1) === 0);
  if (!checksum.add(log, 0, LOG_HEADER_BYTES - 8).isAt(log, LOG_HEADER_BYTES - 8)) return pages;
  const frameBytes = FRAME_HEADER_BYTES + log.getUint32(8);
  const open: Header[] = [];
  for (let at = LOG_HEADER_BYTES; ; at += frameBytes) {
    const frame = read(at, frameBytes);
    // The salts of an earlier use of the log are different ones.
    const isOfThisUse = frame && [0, 4].every((n) => frame.getUint32(8 + n) === log.getUint32(16 + n));
    if (!isOfThisUse) return pages;
    checksum.add(frame, 0, 8).add(frame, FRAME_HEADER_BYTES, frameBytes);
    if (!checksum.isAt(frame, 16)) return pages;
    if (frame.getUint32(0) === 1) open.push(headerIn(frame, FRAME_HEADER_BYTES));
    const isCommit = frame.getUint32(4) > 0;
    if (isCommit) pages.push(...open.splice(0));
  }
}

function headerIn(page: DataView, at: number): Header {
  return { sequence: page.getInt32(at + 60), schema: page.getUint32(at + 40) };
}

type Read = (position: number, length: number) => DataView | null;

/** Returns a function that reads a part of a file, and returns null if there is less. */
function readerOf(file: number): Read {
  return (position, length) => {
    const bytes = new Uint8Array(length);
    const count = fileSystem().readSync(file, bytes, 0, length, position);
    return count === length ? new DataView(bytes.buffer) : null;
  };
}

/** The checksum of a log, which continues from frame to frame. */
class Checksum {
  readonly #isLittleEndian: boolean;
  #first = 0;
  #second = 0;

  constructor(isLittleEndian: boolean) {
    this.#isLittleEndian = isLittleEndian;
  }

  add(bytes: DataView, from: number, to: number): this {
    for (let at = from; at < to; at += 8) {
      this.#first = (this.#first + bytes.getUint32(at, this.#isLittleEndian) + this.#second) >>> 0;
      this.#second = (this.#second + bytes.getUint32(at + 4, this.#isLittleEndian) + this.#first) >>> 0;
    }
    return this;
  }

  isAt(bytes: DataView, at: number): boolean {
    return bytes.getUint32(at) === this.#first && bytes.getUint32(at + 4) === this.#second;
  }
}
