/** Whether the service is down, and until when. */
export class Outage {
  #until = 0;

  /** Starts an outage of this length in milliseconds; `Infinity` for one without an end, 0 to end it. */
  start(lengthMs: number): void {
    this.#until = lengthMs === 0 ? 0 : Date.now() + lengthMs;
  }

  /** Returns the rest of the outage in milliseconds, or 0 if the service is up. */
  rest(): number {
    return Math.max(0, this.#until - Date.now());
  }
}
