/** Protects changes from forged requests: by a token in each form, and by the site that a browser names as the source of a request. */

const LIFETIME_MS = 12 * 3_600_000;
const HMAC: HmacKeyGenParams = { name: 'HMAC', hash: 'SHA-256' };

/** Creates and checks the tokens of forms, with a secret of this process. */
export class FormTokens {
  #key: Promise<CryptoKey> | undefined;

  /** Returns a token for forms in the response to a request. */
  async tokenFor(request: Request): Promise<string> {
    const expiresAt = String(Date.now() + LIFETIME_MS);
    const mac = await crypto.subtle.sign(HMAC, await this.#secret(), dataOf(request, expiresAt));
    return `${expiresAt}.${Array.from(new Uint8Array(mac), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  }

  /** Returns true if a form has a token of this process, for the same credentials, that has not expired. */
  async isValid(request: Request, token: string): Promise<boolean> {
    const [, expiresAt = '', hex = ''] = /^(\d{1,15})\.([\da-f]{64})$/.exec(token) ?? [];
    if (Number(expiresAt) < Date.now()) return false;
    const mac = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
    return crypto.subtle.verify(HMAC, await this.#secret(), mac, dataOf(request, expiresAt));
  }

  #secret(): Promise<CryptoKey> {
    this.#key ??= crypto.subtle.generateKey(HMAC, false, ['sign', 'verify']);
    return this.#key;
  }
}

/** Cookies are left out: some session libraries change them with each response. */
function dataOf({ headers }: Request, expiresAt: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${expiresAt}\n${headers.get('authorization') ?? ''}`);
}

/** Returns false if a browser reports that the form is of another site. Only browsers can be made to send a forged request. */
export function isOfThisSite({ headers, url }: Request): boolean {
  const site = headers.get('sec-fetch-site');
  // `none`: the user has asked for it, not a page.
  if (site !== null) return ['same-origin', 'none'].includes(site);
  const origin = headers.get('origin');
  // Behind a proxy with TLS, only the protocol differs.
  return origin === null || (URL.canParse(origin) && new URL(origin).host === new URL(url).host);
}
