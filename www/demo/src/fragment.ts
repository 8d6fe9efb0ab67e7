/** What the fragment of the address passes to the page. It never leaves the browser, and is removed once it is read. */
import { draftOf, isRecord } from './draft';
import { withId, type RestoredDraft } from './storage';

export interface Fragment {
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
    const reset: string[] = [];
    return { draft: withId(draftOf({ order: linked, preview }, reset)), reset };
  } catch {
    return 'unreadable';
  }
}

function decoded(base64url: string): unknown {
  const bytes = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))));
}
