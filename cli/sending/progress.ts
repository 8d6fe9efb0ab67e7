import { columnsOf, counted, fitted, nonZero, number } from '../output/printable-text.js';
import type { Output } from '../output/terminal.js';
import type { Counts } from './counts.js';
import type { Delivery } from './delivery.js';
import type { ServiceTrouble } from './trouble.js';

/** After the first Ctrl-C. */
export const STOPPING = 'Stopping: waiting for the orders in flight. Ctrl-C again ends at once.';
const REDRAW_MS = 100;
const PLAIN_MS = 5000;
/** Without a terminal, a line is repeated this often while nothing happens, so that a wait does not look like a hang. */
const REPEAT_MS = 60_000;
/** The time over which the rate is measured. */
const WINDOW_MS = 10_000;
const BAR = 20;

/**
 * Shows progress: a line that is drawn again on a terminal, a line now and then elsewhere.
 *
 * @returns a function that ends the display.
 */
export function showProgress(out: Output, delivery: Delivery, trouble: ServiceTrouble): () => void {
  const rateAt = rateOfLastSeconds();
  let isDrawn = false;
  let shownTrouble = '';
  let shown = '';
  let shownAt = 0;
  trouble.onChange = troubleChanged;
  const timer = setInterval(tick, out.isTerminal ? REDRAW_MS : PLAIN_MS);
  if (out.isTerminal) out.write('\u001b[?25l');
  return () => {
    clearInterval(timer);
    clear();
    if (out.isTerminal) out.write('\u001b[?25h');
  };

  /** Without a terminal, reports at once that the token is refused or the service out of reach, and the end of that. */
  function troubleChanged(): void {
    const { kind, text } = trouble.now;
    if (kind === shownTrouble) return;
    shownTrouble = kind;
    if (!out.isTerminal) out.line(kind ? text : 'The service takes orders again.');
  }

  function tick(): void {
    const { counts } = delivery;
    const rate = rateAt(counts.settled - counts.settledBefore);
    if (out.isTerminal) return void draw(rate);
    const text = plainText(counts, rate);
    const now = performance.now();
    const isRepeated = text === shown;
    if (isRepeated && now - shownAt < REPEAT_MS) return;
    const { text: reason } = trouble.now;
    out.line(isRepeated && reason ? `${text}. ${reason}` : text);
    shown = text;
    shownAt = now;
  }

  function draw(rate: number): void {
    const lines = [barLine(delivery.counts, rate, out)];
    const note = delivery.isEnding ? STOPPING : trouble.now.text;
    if (note) lines.push(out.style('yellow', fitted(note, out.width - 1)));
    clear();
    // The cursor goes back, so that the next text overwrites this.
    out.write(`${lines.join('\n')}\r${lines.length > 1 ? '\u001b[1A' : ''}`);
    isDrawn = true;
  }

  function clear(): void {
    if (isDrawn) out.write('\r\u001b[0J');
    isDrawn = false;
  }
}

function plainText(counts: Counts, rate: number): string {
  const of = counts.isRead ? ` of ${counted(counts.read, 'order')}` : ` orders`;
  return `${number(counts.settled)}${of} settled: ${countsText(counts)}${rate > 0 ? `; ${rateText(rate)}` : ''}`;
}

function barLine(counts: Counts, rate: number, out: Output): string {
  const { settled, read, isRead } = counts;
  const share = isRead && read > 0 ? settled / read : 0;
  const filled = Math.floor(share * BAR);
  const left = isRead && rate > 0 && settled < read ? `, ${timeText((read - settled) / rate)} left` : '';
  const of = `${number(settled)}${isRead ? `/${number(read)}` : ''}`;
  const text = `${of}  ${rate > 0 ? `${rateText(rate)}${left}  ` : ''}${countsText(counts)}`;
  // The bar is left out if it does not fit beside the numbers.
  const hasBar = columnsOf(text) + BAR + 3 < out.width;
  const bar = `${out.style('green', '#'.repeat(filled))}${out.style('dim', '-'.repeat(BAR - filled))}`;
  return hasBar ? `[${bar}] ${text}` : fitted(text, out.width - 1);
}

function countsText({ created, alreadyThere, changed, refused, stalled, invalid }: Counts): string {
  const others = {
    'already there': alreadyThere.count,
    'changed afterwards': changed.count,
    refused,
    stalled,
    invalid,
  };
  return [`${number(created)} created`, ...nonZero(others)].join(', ');
}

function rateText(rate: number): string {
  return `${rate >= 10 ? number(Math.round(rate)) : rate.toFixed(1)}/s`;
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Returns a function that takes the number of orders done, and returns the rate per second over the last seconds. */
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
