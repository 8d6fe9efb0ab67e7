/** Stores the draft for the next visit, without personal data (D45). The token is never stored (D36). */
import { newOrderId } from 'sales-order-intake/slim';
import { type Draft, draftFromStored, draftOf, isRecord, type RestoredDraft } from './draft';

/** Where a draft is stored: the one that is edited, and one that was set aside for another. */
type Place = 'draft' | 'draft.set-aside';

/** Creates the Id of a new order, once: it is stored with the draft. A derived Id follows its key. */
function withId({ draft, reset }: RestoredDraft): RestoredDraft {
  const isNew = draft.Id === '' && draft.idFrom === 'new';
  return { draft: isNew ? { ...draft, Id: newOrderId() } : draft, reset };
}

export function storeDraft(place: Place, { FirstName, LastName, CustomerId, Notes, ...rest }: Draft): void {
  store(place, JSON.stringify(rest));
}

/** Returns the stored draft; null if there is none or it cannot be read. */
export function restoreDraft(place: Place): RestoredDraft | null {
  try {
    const restored = draftFromStored(JSON.parse(stored(place) ?? 'null'));
    return restored && withId(restored);
  } catch {
    return null;
  }
}

/** Stores a text. If storage is full or forbidden, the draft and the theme last as long as the page. */
export function store(name: string, text: string): void {
  try {
    localStorage.setItem(`sales-order-intake.${name}`, text);
  } catch {
    // See above.
  }
}

export function stored(name: string): string | null {
  try {
    return localStorage.getItem(`sales-order-intake.${name}`);
  } catch {
    return null;
  }
}

// The fragment of the address never leaves the browser, and is removed once it is read.

interface Fragment {
  /** Empty if the fragment has no token. */
  token: string;
  /** The order that a link opens; 'unreadable' if it is not one, null if the fragment has none. */
  order: RestoredDraft | 'unreadable' | null;
}

/** Reads `#token=…` and `#order=…&options=…`, where order and options are JSON in base64url, and removes them. */
export function takeFragment(): Fragment {
  const members = new URLSearchParams(location.hash.slice(1));
  const token = members.get('token') ?? '';
  const order = members.get('order');
  if (token || order) history.replaceState(null, '', location.pathname + location.search);
  return { token, order: order ? linkedOrder(order, members.get('options')) : null };
}

function linkedOrder(order: string, options: string | null): RestoredDraft | 'unreadable' {
  try {
    const [linked, preview] = [decoded(order), options ? decoded(options) : {}];
    if (!isRecord(linked) || !isRecord(preview)) return 'unreadable';
    return withId(draftOf({ order: linked, preview }));
  } catch {
    return 'unreadable';
  }
}

function decoded(base64url: string): unknown {
  const bytes = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))));
}
