/** Exit codes, the same for every command. They are part of the public contract. */
export const EXIT = {
  /** Done, nothing wrong. */
  done: 0,
  /** Some orders are invalid or were refused, or a file can't be read as orders. */
  invalid: 1,
  /** Unknown command or flag, missing file, or something that this Node lacks. */
  usage: 2,
  /** The service refused the token. */
  authentication: 4,
  /** Some orders are not settled yet: run it again; or stalled: see `outbox FILE list --state stalled`. */
  unknown: 5,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
