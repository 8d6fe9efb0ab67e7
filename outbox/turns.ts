/** How many entries of a location may be taken. */
export interface Turn {
  location: string;
  room: number;
}

/**
 * When the first entry of each location with waiting entries is due, or an earlier time; in the order in which the locations take their
 * turns. So a location with a hundred thousand entries, or one that is held back, takes no time when entries of others are taken.
 */
export class Turns {
  readonly #times = new Map<string, number>();

  /** Returns the locations in which something may be due, if there is room for it: the longest unvisited first. */
  due(now: number, roomOf: (location: string) => number): Turn[] {
    const due = [...this.#times].filter(([, time]) => time <= now);
    return due.map(([location]) => ({ location, room: roomOf(location) })).filter(({ room }) => room > 0);
  }

  /** Returns when the next entry is due for which there is room, after a time; Infinity if there is none. */
  next(roomOf: (location: string) => number, after = Number.NEGATIVE_INFINITY): number {
    let next = Number.POSITIVE_INFINITY;
    for (const [location, time] of this.#times) if (time > after && time < next && roomOf(location) > 0) next = time;
    return next;
  }

  /** Notes that an entry waits until a time. */
  add(location: string, time: number): void {
    this.#times.set(location, Math.min(time, this.#times.get(location) ?? time));
  }

  /** Replaces the time of a location, which then goes behind the others; undefined if nothing is waiting. */
  visited(location: string, time: number | undefined): void {
    this.#times.delete(location);
    if (time !== undefined) this.#times.set(location, time);
  }

  /** Replaces all times. Only locations that have had their turn, and new ones, go behind the others. */
  replace(times: ReadonlyMap<string, number>, had: readonly Turn[]): void {
    for (const location of this.#times.keys()) if (!times.has(location)) this.#times.delete(location);
    for (const { location } of had) this.#times.delete(location);
    for (const [location, time] of times) this.#times.set(location, time);
  }
}
