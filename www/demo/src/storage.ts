/** Stores the draft for the next visit, without personal data (D45). The token is never stored (D36). */
import { newOrderId } from 'sales-order-intake/slim';
import { draftFromStored, type Draft } from './draft';

const DRAFT = 'sales-order-intake.draft';
const SET_ASIDE = 'sales-order-intake.draft.set-aside';

export interface RestoredDraft {
  draft: Draft;
  /** Members that had a value this page does not know, and have their default now. */
  reset: string[];
}

export const storeDraft = (draft: Draft): void => store(DRAFT, draft);

/** Returns the stored draft; null if there is none or it cannot be read. */
export const restoreDraft = (): RestoredDraft | null => restore(DRAFT);

/** Stores a draft that this page cannot show, beside the draft that is edited next. */
export const setDraftAside = (draft: Draft): void => store(SET_ASIDE, draft);

export const restoreDraftSetAside = (): RestoredDraft | null => restore(SET_ASIDE);

/** Creates the Id of a new order, once: it is stored with the draft. A derived Id follows its key. */
export function withId(draft: Draft): Draft {
  return draft.Id === '' && draft.idFrom === 'new' ? { ...draft, Id: newOrderId() } : draft;
}

function store(name: string, { FirstName, LastName, CustomerId, Notes, ...rest }: Draft): void {
  try {
    localStorage.setItem(name, JSON.stringify(rest));
  } catch {
    // Storage is full or forbidden: the draft lives as long as the page.
  }
}

function restore(name: string): RestoredDraft | null {
  try {
    const restored = draftFromStored(JSON.parse(localStorage.getItem(name) ?? 'null'));
    return restored && { ...restored, draft: withId(restored.draft) };
  } catch {
    return null;
  }
}
