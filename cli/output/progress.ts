import { fstatSync } from 'node:fs';
import { reading, STDIN } from '../files/text-chunks.js';
import { columnsOf, fitted, number, printableName } from './printable-text.js';
import type { Output, Terminal } from './terminal.js';

/** How far a command is. */
export interface Progress {
  /** Such as "20/40". */
  done: string;
  /** What the rate is of, without what was done before this run. */
  rated: number;
  /** The unit of the rate: "/s" if there is none. */
  unit?: string;
  /** The part that is done, from 0 to 1, for the bar. */
  share?: number;
  /** How much is left to do, in the unit of `rated`. */
  left?: number;
  /** Shown after the rate. */
  counts?: string;
  /** The progress as a sentence, for output that is not a terminal. */
  line: string;
  /** Why nothing happens, or what the user can do. */
  note?: string;
}

/** A command that ends earlier shows no progress. */
const FIRST_MS = 1000;
const REDRAW_MS = 100;
const PLAIN_MS = 5000;
/** Without a terminal, a line is repeated this often while nothing happens, so that a wait does not look like a hang. */
const REPEAT_MS = 60_000;
/** The time over which the rate is measured. */
const WINDOW_MS = 10_000;
const BAR = 20;

let stop = () => {};

/**
 * Shows progress until {@link endProgress}: lines that are drawn again on a terminal, a line now and then elsewhere.
 *
 * @param progress Returns null if there is nothing to show.
 */
export function showProgress(out: Output, progress: () => Progress | null): void {
  endProgress();
  const rateAt = rateOfLastSeconds();
  let shown = '';
  let shownAt = 0;
  const timer = setInterval(tick, out.isTerminal ? REDRAW_MS : PLAIN_MS).unref();
  stop = () => {
    clearInterval(timer);
    out.draw([]);
  };

  function tick(): void {
    const now = progress();
    if (!now) return;
    const rate = rateAt(now.rated);
    // Since the program has started.
    if (performance.now() < FIRST_MS) return;
    if (out.isTerminal) {
      const note = now.note ? [out.style('yellow', fitted(now.note, out.width - 1))] : [];
      out.draw([barLine(now, rate, out), ...note]);
      return;
    }
    const text = rate > 0 ? `${now.line}; ${rateText(rate, now)}` : now.line;
    const isRepeated = text === shown;
    if (isRepeated && performance.now() - shownAt < REPEAT_MS) return;
    out.line(isRepeated && now.note ? `${text}. ${now.note}` : text);
    shown = text;
    shownAt = performance.now();
  }
}

export function endProgress(): void {
  stop();
  stop = () => {};
}

/** Shows the progress of a command that prints what it finds, unless a pager may have the terminal. */
export function showFinding(err: Output, progress: () => Progress | null): void {
  const stdout = fstatSync(1);
  if (!err.isTerminal || !(stdout.isFIFO() || stdout.isSocket())) showProgress(err, progress);
}

/** Shows how much of a file is read. */
export function showReading({ err }: Terminal): void {
  showFinding(err, () => {
    if (!reading) return null;
    const { file, bytes, size } = reading;
    const [read, whole] = [bytes / 1e6, size / 1e6];
    const amount = size > 0 ? `${Math.floor((100 * bytes) / size)} %` : `${number(Math.floor(read))} MB`;
    const known = size > 0 && { share: bytes / size, left: whole - read };
    const name = file === STDIN ? 'standard input' : printableName(file);
    return {
      done: `${fitted(name, 30)} ${amount}`,
      line: `${amount} of ${name} read`,
      rated: read,
      unit: ' MB/s',
      ...known,
    };
  });
}

function barLine(progress: Progress, rate: number, out: Output): string {
  const { done, share, left = 0, counts = '' } = progress;
  const time = rate > 0 && left > 0 ? `, ${timeText(left / rate)} left` : '';
  const text = [done, rate > 0 && rateText(rate, progress) + time, counts].filter(Boolean).join('  ');
  // The bar is left out if it does not fit beside the numbers.
  if (share === undefined || columnsOf(text) + BAR + 3 >= out.width) return fitted(text, out.width - 1);
  const filled = Math.floor(Math.min(1, share) * BAR);
  return `[${out.style('green', '#'.repeat(filled))}${out.style('dim', '-'.repeat(BAR - filled))}] ${text}`;
}

function rateText(rate: number, { unit = '/s' }: Progress): string {
  return `${rate >= 10 ? number(Math.round(rate)) : rate.toFixed(1)}${unit}`;
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Returns a function that takes the amount done, and returns the rate per second over the last seconds. */
function rateOfLastSeconds(): (done: number) => number {
  const samples: { at: number; done: number }[] = [];
  return (done) => {
    const now = performance.now();
    samples.push({ at: now, done });
    while (samples.length > 2 && now - (samples[0]?.at ?? now) > WINDOW_MS) samples.shift();
    const [first] = samples;
    const ms = first ? now - first.at : 0;
    return ms > 0 && first ? Math.max(0, ((done - first.done) / ms) * 1000) : 0;
  };
}
