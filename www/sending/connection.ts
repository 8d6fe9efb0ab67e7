/** Codes of errors. The last one is a message, that of ports which fetch never connects to, such as 1 and 9. */
const NEVER_CONNECTED: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'bad port',
];
/** The maximum depth of a chain of causes; a longer one is a cycle. */
const DEEPEST = 8;

/**
 * Returns true if the error of a fetch proves that no connection was made, so that nothing was sent (D31). Platforms
 * that don't report the cause, browsers for instance, prove nothing.
 */
export function wasNeverConnected(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > DEEPEST) return false;
  const { code, message, syscall, errors, cause } = error as Record<string, unknown>;
  // Several addresses of one host were tried.
  if (Array.isArray(errors) && errors.length > 0) return errors.every((each) => wasNeverConnected(each, depth + 1));
  return syscall === 'connect' || NEVER_CONNECTED.includes(code ?? message) || wasNeverConnected(cause, depth + 1);
}
