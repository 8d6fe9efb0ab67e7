import { columnsOf, counted, fitted, nonZero, number } from '../output/printable-text.js';
import type { Output } from '../output/terminal.js';

/** The state of a run that has not sent anything yet. */
export const NO_PROGRESS = {
  /** Orders that were read so far. */
  read: 0,
  /** Whether all are read, so that `read` is the number of all. */
  isRead: false,
  /** Those of earlier runs included. */
  created: 0,
  /** Created orders that the service had before they were first sent. */
  alreadyThere: 0,
  /** Created orders that were changed in the file afterwards. */
  changed: 0,
  /** Settled in earlier runs: they say nothing about the rate. */
  settledBefore: 0,
  refused: 0,
  stalled: 0,
  invalid: 0,
  /** The reason why orders are held back; empty if none are. */
  trouble: '',
  /** Ctrl-C was pressed. */
  isStopping: false,
};

type ProgressState = typeof NO_PROGRESS;

/** After the first Ctrl-C. */
export const STOPPING = 'Stopping: waiting for the orders in flight. Ctrl-C again ends at once.';
const REDRAW_MS = 100;
const PLAIN_MS = 5000;
/** Without a terminal, a line is repeated this often while nothing happens, so that a wait does not look like a hang. */
const REPEAT_MS = 60_000;
/** The rate is that of the last seconds. */
const WINDOW_MS = 10_000;
const BAR = 20;

/** Shows progress: a line that is drawn again on a terminal, a line now and then elsewhere. */
export class Progress {
  readonly #out: Output;
  readonly #state: ProgressState;
  readonly #timer: NodeJS.Timeout;
  readonly #rate = new Rate();
  #isDrawn = false;
  #trouble = '';
  #shown = '';
  #shownAt = 0;

  constructor(out: Output, state: ProgressState) {
    this.#out = out;
    this.#state = state;
    this.#timer = setInterval(() => this.#tick(), out.isTerminal ? REDRAW_MS : PLAIN_MS);
    if (out.isTerminal) out.write('\u001b[?25l');
  }

  /** Writes a line above the progress. */
  line(text: string): void {
    this.#clear();
    this.#out.line(text);
  }

  /** Without a terminal, reports at once that the token is refused or the service out of reach, and that it is over. */
  troubleChanged(kind: string): void {
    if (kind === this.#trouble) return;
    this.#trouble = kind;
    if (!this.#out.isTerminal) this.#out.line(kind ? this.#state.trouble : 'The service takes orders again.');
  }

  end(): void {
    clearInterval(this.#timer);
    this.#clear();
    if (this.#out.isTerminal) this.#out.write('\u001b[?25h');
  }

  #tick(): void {
    const state = this.#state;
    const { created, alreadyThere, changed, refused, stalled, invalid } = state;
    const done = created + alreadyThere + changed + refused + stalled + invalid;
    const rate = this.#rate.at(done - state.settledBefore);
    if (this.#out.isTerminal) {
      this.#draw(done, rate);
      return;
    }
    const text = plainText(state, done, rate);
    const now = performance.now();
    const isRepeated = text === this.#shown;
    if (isRepeated && now - this.#shownAt < REPEAT_MS) return;
    this.#out.line(isRepeated && state.trouble ? `${text}. ${state.trouble}` : text);
    this.#shown = text;
    this.#shownAt = now;
  }

  #draw(done: number, rate: number): void {
    const { width } = this.#out;
    const lines = [barLine(this.#state, done, rate, width, this.#out)];
    const { trouble, isStopping } = this.#state;
    const note = isStopping ? STOPPING : trouble;
    if (note) lines.push(this.#out.style('yellow', fitted(note, width - 1)));
    this.#clear();
    // The cursor goes back, so that the next text overwrites this.
    this.#out.write(`${lines.join('\n')}\r${lines.length > 1 ? '\u001b[1A' : ''}`);
    this.#isDrawn = true;
  }

  #clear(): void {
    if (this.#isDrawn) this.#out.write('\r\u001b[0J');
    this.#isDrawn = false;
  }
}

function plainText(state: ProgressState, done: number, rate: number): string {
  const of = state.isRead ? ` of ${counted(state.read, 'order')}` : ` orders`;
  return `${number(done)}${of} settled: ${countsText(state)}${rate > 0 ? `; ${rateText(rate)}` : ''}`;
}

function barLine(state: ProgressState, done: number, rate: number, width: number, out: Output): string {
  const { read, isRead } = state;
  const share = isRead && read > 0 ? done / read : 0;
  const filled = Math.floor(share * BAR);
  const left = isRead && rate > 0 && done < read ? `, ${timeText((read - done) / rate)} left` : '';
  const counts = `${number(done)}${isRead ? `/${number(read)}` : ''}`;
  const text = `${counts}  ${rate > 0 ? `${rateText(rate)}${left}  ` : ''}${countsText(state)}`;
  // The bar is left out if it does not fit beside the numbers.
  const hasBar = columnsOf(text) + BAR + 3 < width;
  const bar = `${out.style('green', '#'.repeat(filled))}${out.style('dim', '-'.repeat(BAR - filled))}`;
  return hasBar ? `[${bar}] ${text}` : fitted(text, width - 1);
}

function countsText({ created, alreadyThere, changed, refused, stalled, invalid }: ProgressState): string {
  const others = { 'already there': alreadyThere, 'changed afterwards': changed, refused, stalled, invalid };
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

/** Orders a second, over the last seconds. */
class Rate {
  readonly #samples: { at: number; done: number }[] = [];

  at(done: number): number {
    const now = performance.now();
    this.#samples.push({ at: now, done });
    while (this.#samples.length > 2 && now - (this.#samples[0]?.at ?? now) > WINDOW_MS) this.#samples.shift();
    const first = this.#samples[0];
    const ms = first ? now - first.at : 0;
    return ms > 0 && first ? Math.max(0, ((done - first.done) / ms) * 1000) : 0;
  }
}
