import type { Platform } from '../../pkg-template/src/platform/platform.js';
import type { Job } from './pg-boss.js';

/** Longer than a busy location takes to have room again. A closed one has none for up to an hour. */
const HELD_MS = 3000;
/** Jobs that are held at the same time, so that memory and heartbeats stay small. */
const MOST_HELD = 500;

/** A job that waits until there is room, and since when. */
interface HeldJob extends Job {
  since: number;
}

/**
 * Jobs that this process has fetched: those whose order is being sent, and those that wait until there is room for their
 * location. The engine gives a job to another process if it hears nothing of it for a while.
 */
export class Leases {
  readonly #platform: Platform;
  readonly #jobs = new Map<string, Job>();
  /** In the order in which they were fetched. */
  #held: HeldJob[] = [];

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  get all(): Job[] {
    return [...this.#jobs.values()];
  }

  add(jobs: readonly Job[]): void {
    for (const job of jobs) this.#jobs.set(job.id, job);
  }

  remove(jobs: readonly { id: string }[]): void {
    for (const { id } of jobs) this.#jobs.delete(id);
  }

  /**
   * Returns how many of the held jobs can be taken now, and the locations with as many held jobs as there is room for: no more of
   * their jobs are to be fetched. A held job without room does not count: it must not keep other locations from being fetched.
   */
  stock(room: (location: string) => number): { usable: number; stocked: string[] } {
    const counts = new Map<string, number>();
    for (const { data } of this.#held) counts.set(data.location, (counts.get(data.location) ?? 0) + 1);
    let usable = 0;
    const stocked: string[] = [];
    for (const [location, count] of counts) {
      const most = Math.max(0, room(location));
      usable += Math.min(count, most);
      if (count >= most) stocked.push(location);
    }
    return { usable, stocked };
  }

  /** Returns those of the held and the new jobs for which there is room, and holds the others. */
  choose(fetched: readonly Job[], limit: number, room: (location: string) => number): Job[] {
    const chosen: Job[] = [];
    const counts = new Map<string, number>();
    const held: HeldJob[] = [];
    for (const job of [...this.#held, ...this.#heldNow(fetched)]) {
      const { location } = job.data;
      const count = counts.get(location) ?? 0;
      const isChosen = chosen.length < limit && count < room(location);
      if (isChosen) counts.set(location, count + 1);
      (isChosen ? chosen : held).push(job);
    }
    this.#held = held;
    return chosen;
  }

  hold(jobs: readonly Job[]): void {
    this.#held = [...this.#heldNow(jobs), ...this.#held];
  }

  /** Returns the jobs that were held for too long or are too many, and stops holding them. */
  releaseSurplus(): Job[] {
    const start = this.#platform.now() - HELD_MS;
    const staying = new Set(this.#held.filter(({ since }) => since > start).slice(0, MOST_HELD));
    const surplus = this.#held.filter((job) => !staying.has(job));
    this.#held = [...staying];
    return surplus;
  }

  /** Returns the held jobs, and stops holding them. */
  release(): Job[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }

  #heldNow(jobs: readonly Job[]): HeldJob[] {
    const since = this.#platform.now();
    return jobs.map((job) => ({ ...job, since }));
  }
}
