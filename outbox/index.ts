/**
 * Delivers accepted orders, through crashes and outages.
 *
 * Numbers in parentheses, such as (D18) or (§2.1), refer to DECISIONS.md in this package.
 *
 * @module
 */
export { createOutbox } from './outbox.js';
export { OutboxError } from './errors.js';
export type { Entry, EntryActions, EntrySummary, SettledEntry } from './entry.js';
export type { HistoryEvent } from './history.js';
export type { OutboxErrorDetails, OutboxErrorReason } from './errors.js';
export type {
  ActionOptions,
  AddEvent,
  AddOptions,
  ErrorEvent,
  GateEvent,
  ListFilter,
  OutboxHooks,
  OutboxOptions,
  PageOptions,
  Pause,
  ReplaceOptions,
  ResultEvent,
  SettledOptions,
  StopOptions,
} from './options.js';
export { entryReasons, pauseCauses } from './reason.js';
export type { EntryReason, Explanation } from './reason.js';
export type { EntryOutcome, EntryState, OutboxStore } from './store.js';
export type { AddedOrder, EntryPage, LocationCounts, Outbox, OutboxCounts } from './types.js';
export type { AddTrace, DeliveryTrace } from '../pkg-template/src/platform/tracing-channel.js';
