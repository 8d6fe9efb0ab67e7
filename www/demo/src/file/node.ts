/**
 * Replaces what the readers of the command line use of Node: their files are those that the user has opened, by their names
 * without folders.
 */
const opened = new Map<string, File>();

/** Makes these files the only ones that can be read. */
export function provide(files: readonly File[]): void {
  opened.clear();
  for (const file of files) opened.set(file.name, file);
}

/** The name of the command line. */
export const CALLED = 'sales-order-intake';

export const isAbsolute = (): boolean => false;
export const dirname = (): string => '';
export const join = (_folder: string, path: string): string => path.split(/[\\/]/).at(-1) as string;

export async function stat(name: string): Promise<{ isDirectory(): boolean }> {
  if (!opened.has(name)) throw Object.assign(new Error(`${name} is not open`), { code: 'ENOENT' });
  return { isDirectory: () => false };
}

export async function* createReadStream(name: string): AsyncGenerator<Uint8Array, void, void> {
  const reader = (opened.get(name) as File).stream().getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}
