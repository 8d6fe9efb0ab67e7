/** The format of a token, for messages, which never show a token (D45). */
export const TOKEN_FORM = "a bearer token: a string without spaces, line breaks and 'Bearer'";

/** Returns true for visible ASCII: other characters are not valid in a token, or in a header. */
export function isToken(token: unknown): token is string {
  return typeof token === 'string' && /^[\x21-\x7e]+$/.test(token);
}
