export { createOutbox } from './outbox.js';
export { OutboxError, isOutboxError } from './errors.js';
export type { Entry } from './entry.js';
export type { OutboxErrorReason } from './errors.js';
export type {
  AddEvent,
  AddOptions,
  ErrorEvent,
  GateEvent,
  ListFilter,
  OutboxHooks,
  OutboxOptions,
  ResultEvent,
} from './options.js';
export type {
  Change,
  Condition,
  EntryOutcome,
  LocationCount,
  NewEntry,
  Page,
  Settlement,
  State,
  Store,
  StoredEntry,
  TakeOptions,
  TakeResult,
  TakenEntry,
} from './store.js';
export type { AddedOrder, LocationCounts, Outbox, OutboxCounts } from './types.js';
