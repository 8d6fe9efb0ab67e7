import type { Store } from '../store.js';

/** Where the stores of one check store their entries: empty at first. */
export interface StoreLocation {
  /** Opens a store at this location; can be called again after it was closed. */
  open(): Store | Promise<Store>;
  /** Begins a transaction as a caller would, for `store.add` and `store.change`. Omitted if the store has none. */
  begin?(store: Store): Promise<{ transaction: unknown; commit(): Promise<void>; rollback(): Promise<void> }>;
  /** Removes what was stored. */
  dispose?(): void | Promise<void>;
}
