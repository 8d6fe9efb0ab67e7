import { OrderIntakeError } from 'sales-order-intake/client';

/** The meanings of the error codes of Node and of its fetch. */
const CODES: Record<string, string> = {
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection lost',
  EPIPE: 'connection lost',
  UND_ERR_SOCKET: 'connection lost',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  EHOSTUNREACH: 'host not reachable',
  ENETUNREACH: 'network not reachable',
};
/** The maximum depth of a chain of causes; a longer one is a cycle. */
const DEEPEST = 8;

/** Says in a few words why an attempt failed. Has nothing that the service or the order says, so it can be shown. */
export function failureText(error: unknown): string {
  if (!(error instanceof OrderIntakeError)) return '';
  if (error.status !== undefined) return `HTTP ${error.status}`;
  if (error.name === 'TimeoutError') return 'no response in time';
  if (error.name !== 'ConnectionError') return '';
  const code = codeOf(error.cause);
  if (code === undefined) return 'connection failed';
  return CODES[code] ?? (/CERT|ISSUER|LEAF_SIGNATURE|ALTNAME/.test(code) ? `certificate: ${code}` : code);
}

/** Returns the first code in a chain of causes. Several addresses of one host may have been tried. */
function codeOf(cause: unknown, depth = 0): string | undefined {
  if (typeof cause !== 'object' || cause === null || depth > DEEPEST) return undefined;
  const { code, errors, cause: next } = cause as { code?: unknown; errors?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z\d_]+$/.test(code)) return code;
  return codeOf(Array.isArray(errors) ? errors[0] : next, depth + 1);
}
