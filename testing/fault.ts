/**
 * A fault that a request asks for with the header `X-Fault`, as of the reference service.
 *
 * - `latency=<milliseconds>`: delays the response, by at most 300,000.
 * - `401`, `403`, `404`, `409`, `429`, `500`, `503`: responds with this status; nothing is stored.
 * - `drop`: loses the connection; nothing is stored.
 * - `drop-after`: stores the order, then loses the connection.
 * - `down-until=<seconds>`: responds with 503 to every order request until the seconds have passed, at most 86,400; 0 ends it.
 */
export type RequestedFault =
  | '401'
  | '403'
  | '404'
  | '409'
  | '429'
  | '500'
  | '503'
  | 'drop'
  | 'drop-after'
  | `latency=${number}`
  | `down-until=${number}`;

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type ErrorStatusText = `${4 | 5}${Digit}${Digit}`;
type NumberOf<Text> = Text extends `${infer Value extends number}` ? Value : never;

/** A status from 400 to 599, as a number or a string. */
export type ErrorStatus = ErrorStatusText | NumberOf<ErrorStatusText>;

/**
 * A fault for `failNext`: one of {@link RequestedFault}, or
 *
 * - any status from 400 to 599, such as `502` or `'502'`: responds with it and with problem details; nothing is stored.
 * - `html`, or `html=<status>`: responds with a page of HTML and status 200, or the given one, as something between the
 *   client and the service does; nothing is stored.
 * - `redirect`: responds with 302 to another address; nothing is stored. The redirect is not followed, whatever the mode of
 *   the request.
 */
export type Fault = RequestedFault | ErrorStatus | 'html' | `html=${number}` | 'redirect';
