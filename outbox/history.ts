import { KEPT_EVENTS } from './binding.js';
import type { EntryReason } from './reason.js';
import type { EntryOutcome, StoredEvent } from './store.js';

/** Something that happened to an order. Members that say nothing are absent. Has nothing of the order, and no text of the service. */
export interface HistoryEvent {
  /** When it happened; when an attempt began. */
  at: Date;
  /**
   * - `added`: the order was added.
   * - `attempt`: it was sent, or the attempt failed before that. Without `durationMs`, the process died before it knew the result.
   * - `settled`: it was created, refused, stalled or cancelled by a relay, or kept although it is invalid.
   * - `retry`, `replace`, `cancel`, `forget`: what a person did.
   * - `restored`: a backup of the outbox was put back (D68).
   */
  what: 'added' | 'attempt' | 'settled' | 'retry' | 'replace' | 'cancel' | 'forget' | 'restored';
  /** Who did it, if the caller said so. */
  by?: string;
  /** Status of the response. */
  status?: number;
  /** Why the connection failed, for example `host not found (ENOTFOUND)`. */
  failure?: string;
  /** What was known about the order after it (D31). */
  outcome?: EntryOutcome;
  /** The error that the attempt ended with, or why the entry was settled. */
  reason?: EntryReason;
  /** Milliseconds that the attempt took. */
  durationMs?: number;
  /** The process that made the attempt, if several may deliver. */
  processId?: string;
}

/** Returns the history in stored events, the first and the latest. An attempt that settled its entry is stored as one. */
export function historyOf(stored: readonly StoredEvent[]): HistoryEvent[] {
  const events = stored.flatMap((event) => {
    const { at, what, durationMs, outcome, reason } = event;
    if (what !== 'settled' && what !== 'deadline') return [eventOf({ ...event, what })];
    const endedAt = at + (durationMs ?? 0);
    const settled = eventOf({
      at: endedAt,
      what: 'settled',
      outcome,
      reason: what === 'deadline' ? 'Deadline' : reason,
    });
    return durationMs === null ? [settled] : [eventOf({ ...event, what: 'attempt' }), settled];
  });
  const latest = Math.max(KEPT_EVENTS, events.length - KEPT_EVENTS);
  return [...events.slice(0, KEPT_EVENTS), ...events.slice(latest)];
}

function eventOf({ at, ...members }: { at: number } & Partial<StoredEvent>): HistoryEvent {
  const known = Object.entries(members).filter(([, value]) => value !== null);
  return { at: new Date(at), ...Object.fromEntries(known) } as HistoryEvent;
}
