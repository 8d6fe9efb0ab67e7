import { isIP } from 'node:net';
import { usageProblem } from '../problem.js';

const DEFAULT = '127.0.0.1:4020';
const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/;

/**
 * Reads the address to listen on: a host with a port, or a port.
 *
 * @throws Problem if others could reach it and need no token.
 */
export function listenAddress(text = DEFAULT, hasToken = false): { host: string; port: number } {
  const [, ipv6, name = '127.0.0.1', digits] = /^(?:\[([^\]]+)\]:|([^:[\]]+):)?(\d{1,5})$/.exec(text) ?? [];
  const host = ipv6 ?? name;
  const isHost = ipv6 === undefined ? host === 'localhost' || isIP(host) === 4 : isIP(ipv6) === 6;
  if (digits === undefined || !isHost || Number(digits) > 65_535) {
    throw usageProblem(`--listen must be an IP address or localhost, with a port, not ${text}`, `Such as ${DEFAULT}.`);
  }
  if (!hasToken && !LOOPBACK.test(host)) {
    throw usageProblem(
      `--listen ${text} needs a client token: others could send orders, and read them`,
      'Set SALES_ORDER_RELAY_CLIENT_TOKEN, or listen on 127.0.0.1.',
    );
  }
  return { host, port: Number(digits) };
}
