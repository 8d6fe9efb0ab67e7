import * as util from 'node:util';
import { jsonLine, printable } from './printable-text.js';

export type Format = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'blue' | 'cyan';

/** Where results, progress and errors go: a terminal, a file or a pipe. */
export class Output {
  /** An error, and no closed pipe, has ended it. */
  hasFailed = false;
  /** The last output that has drawn lines, and how many. */
  static #drawn: { on: Output; lines: number } | undefined;
  readonly #stream: NodeJS.WriteStream;
  #isClosed = false;
  /** Undefined until it is needed: finding out takes longer than writing a line. */
  #isColoured: boolean | undefined;

  /** @param failed Called once with the code of an error, unless the reader has closed the pipe, as `head` does. */
  constructor(stream: NodeJS.WriteStream, failed: (code: string) => void = () => {}) {
    this.#stream = stream;
    // Whatever the error is, the command goes on: orders are sent (D62).
    stream.on('error', ({ code = 'unknown error' }: NodeJS.ErrnoException) => {
      if (this.#isClosed) return;
      this.#isClosed = true;
      if (code === 'EPIPE') return;
      this.hasFailed = true;
      failed(code);
    });
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  /** Columns; text that is not shown on a terminal is wrapped at 80. */
  get width(): number {
    return (this.isTerminal && this.#stream.columns) || 80;
  }

  /** Columns for tables: a file or a pipe has room for long names. */
  get tableWidth(): number {
    return this.isTerminal ? this.width : 200;
  }

  write(text: string): void {
    if (this.#isClosed) return;
    // Both outputs may be the same terminal.
    if (this.isTerminal && Output.#drawn) {
      const { on, lines } = Output.#drawn;
      Output.#drawn = undefined;
      on.#stream.write(`\r${lines > 1 ? `\u001b[${lines - 1}A` : ''}\u001b[0J`);
    }
    this.#stream.write(text);
  }

  /** Draws lines on a terminal, in place of those that were drawn before. The next text on a terminal takes their place. */
  draw(lines: readonly string[]): void {
    if (!this.isTerminal) return;
    this.write(lines.join('\n'));
    if (lines.length > 0) Output.#drawn = { on: this, lines: lines.length };
  }

  /** Waits for the reader, so that output does not collect in memory. */
  async ready(): Promise<void> {
    const stream = this.#stream;
    if (this.#isClosed || !stream.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        for (const event of ['drain', 'close', 'error']) stream.off(event, done);
        resolve();
      };
      for (const event of ['drain', 'close', 'error']) stream.on(event, done);
    });
  }

  line(text = ''): void {
    this.write(`${text}\n`);
  }

  /** Writes one JSON value, as one line. */
  json(value: unknown): void {
    this.line(jsonLine(value));
  }

  /** Adds colour where the stream shows it: a terminal, unless NO_COLOR is set, or anything with FORCE_COLOR. */
  style(format: Format, text: string): string {
    // Node 20 has it since 20.12; without `stream`, and for several formats at once, it ignores NO_COLOR and pipes.
    const styled = (plain: string) => util.styleText?.(format, plain, { stream: this.#stream }) ?? plain;
    this.#isColoured ??= styled('x') !== 'x';
    return this.#isColoured ? styled(text) : text;
  }
}

/** The streams and the environment of a command. */
export interface Terminal {
  out: Output;
  err: Output;
  env: NodeJS.ProcessEnv;
}

export function terminal(): Terminal {
  const err = new Output(process.stderr);
  const out = new Output(process.stdout, (code) => printError({ err }, `standard output can't be written: ${code}`));
  return { out, err, env: process.env };
}

/** Prints an error and what to do about it. */
export function printError({ err }: Pick<Terminal, 'err'>, message: string, hint?: string): void {
  err.line(`${err.style('bold', err.style('red', 'error:'))} ${printable(message)}`);
  if (hint) err.line(`${err.style('bold', 'hint:')} ${printable(hint)}`);
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Calls back at SIGINT and SIGTERM, until the function that it returns is called. */
export function onSignals(listener: () => void): () => void {
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}

/** Resolves at the first SIGINT or SIGTERM. The next one ends the process. */
export function interruption(): Promise<void> {
  return new Promise((resolve) => {
    const off = onSignals(() => {
      off();
      resolve();
    });
  });
}
