import type { Job } from './engine.js';

/**
 * Jobs that this process has fetched: those whose order is being sent, and those that wait until there is room for their
 * location. The engine gives a job to another process if it hears nothing of it for a while.
 */
export class Leases {
  readonly #jobs = new Map<string, Job>();
  #held: Job[] = [];

  get all(): Job[] {
    return [...this.#jobs.values()];
  }

  get held(): readonly Job[] {
    return this.#held;
  }

  add(jobs: readonly Job[]): void {
    for (const job of jobs) this.#jobs.set(job.id, job);
  }

  remove(jobs: readonly { id: string }[]): void {
    for (const { id } of jobs) this.#jobs.delete(id);
  }

  /** Returns those of the held and the new jobs for which there is room, and holds the others. */
  choose(fetched: readonly Job[], limit: number, room: (location: string) => number): Job[] {
    const chosen: Job[] = [];
    const counts = new Map<string, number>();
    const held: Job[] = [];
    for (const job of [...this.#held, ...fetched]) {
      const { location } = job.data;
      const count = counts.get(location) ?? 0;
      if (chosen.length < limit && count < room(location)) {
        counts.set(location, count + 1);
        chosen.push(job);
      } else {
        held.push(job);
      }
    }
    this.#held = held;
    return chosen;
  }

  hold(jobs: readonly Job[]): void {
    this.#held = [...jobs, ...this.#held];
  }

  /** Returns the held jobs, and holds them no longer. */
  release(): Job[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }
}
