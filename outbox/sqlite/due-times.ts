/**
 * When something is due in each location that has entries waiting: never later than it really is, so that a location with
 * a hundred thousand entries, or one that is held back, takes no time when entries of others are taken.
 */
export class DueTimes {
  readonly #times = new Map<string, number>();

  /** Returns the earliest time of the locations that are not left out. */
  nextBut(isLeftOut: (location: string) => boolean): number {
    let next = Number.POSITIVE_INFINITY;
    for (const [location, time] of this.#times) if (time < next && !isLeftOut(location)) next = time;
    return next;
  }

  add(location: string, time: number): void {
    const known = this.#times.get(location);
    if (known === undefined || time < known) this.#times.set(location, time);
  }

  /** Replaces the time; undefined if nothing is waiting. The location is last in turn. */
  replace(location: string, time: number | undefined): void {
    this.#times.delete(location);
    if (time !== undefined) this.#times.set(location, time);
  }

  /** Returns the locations in which something may be due, the longest unvisited first. */
  due(now: number): string[] {
    return [...this.#times].filter(([, time]) => time <= now).map(([location]) => location);
  }
}
