import { builtinModule } from '../../pkg-template/src/platform/builtin-module.js';

/** The mode of new files: they have personal data. */
const PRIVATE = 0o600;
/** Readable and writable. */
const USABLE = 6;

export interface Stats {
  dev: bigint;
  ino: bigint;
  size: bigint;
  mode: bigint;
  uid: bigint;
  gid: bigint;
  isFile(): boolean;
}

/** The part of `node:fs` that the store uses: the types of Node need not be installed. */
export interface FileSystem {
  accessSync(path: string, mode: number): void;
  chmodSync(path: string, mode: number): void;
  chownSync(path: string, uid: number, gid: number): void;
  closeSync(file: number): void;
  copyFileSync(from: string, to: string): void;
  fsyncSync(file: number): void;
  ftruncateSync(file: number, length: number): void;
  linkSync(file: string, path: string): void;
  openSync(path: string, flags: string, mode?: number): number;
  readdirSync(path: string): string[];
  readSync(file: number, buffer: Uint8Array, offset: number, length: number, position: number): number;
  realpathSync(path: string): string;
  renameSync(from: string, to: string): void;
  rmSync(path: string, options: { force: true }): void;
  statSync(path: string, options: { bigint: true; throwIfNoEntry: false }): Stats | undefined;
  writeSync(file: number, text: string, position: number): number;
}

/** Returns `node:fs`, which each platform with `node:sqlite` has. */
export function fileSystem(): FileSystem {
  return builtinModule<FileSystem>('node:fs') as FileSystem;
}

/** Returns undefined if there is no such file. */
export function statsOf(path: string): Stats | undefined {
  return fileSystem().statSync(path, { bigint: true, throwIfNoEntry: false });
}

/**
 * Creates an empty file that only its owner can read, unless there is one. Returns true if it has created it. Whoever opens the file
 * afterwards reports why it can't be created.
 */
export function createPrivately(path: string): boolean {
  if (statsOf(path)) return false;
  const { openSync, closeSync } = fileSystem();
  try {
    closeSync(openSync(path, 'a', PRIVATE));
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the name of the marker of a file. It does not begin like that of the file: whoever deletes the file with all that SQLite stores
 * beside it, and puts a backup there, leaves the marker.
 */
export function markerOf(path: string): string {
  return path.replace(/[^/\\]+$/, '.$&.outbox-marker');
}

/** Returns the folder of a file, with a slash at its end. */
export function folderOf(path: string): string {
  return path.replace(/[^/\\]*$/, '') || './';
}

/** Makes the content of a file durable, and then its name. */
export function flush(path: string): void {
  const { openSync, fsyncSync, closeSync } = fileSystem();
  for (const [place, flags] of [
    [path, 'r+'],
    [folderOf(path), 'r'],
  ] as const) {
    try {
      const file = openSync(place, flags);
      try {
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      // Windows opens no folders, and makes names durable itself.
      if (place === path) throw error;
    }
  }
}

/** Returns what keeps this process from using a file and those beside it, and what to do; null if nothing does. */
export function obstacleOf(path: string): string | null {
  const folder = folderOf(path);
  if (!statsOf(folder)) return `The folder ${folder} does not exist: create it`;
  const advice = 'Give the user of this process the right to do so';
  if (!isUsable(folder)) {
    return `This process can't write into the folder ${folder}, and SQLite needs a log beside the file. ${advice}`;
  }
  for (const each of [...['', '-wal', '-shm', '.outbox-lock'].map((end) => path + end), markerOf(path)]) {
    if (statsOf(each) && !isUsable(each)) return `This process can't read and write ${each}. ${advice}`;
  }
  return null;
}

function isUsable(path: string): boolean {
  try {
    fileSystem().accessSync(path, USABLE);
    return true;
  } catch {
    return false;
  }
}
