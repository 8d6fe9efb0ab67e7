// Generated from the tables of the reference service by `make generate`.

/** The types of problems, each with its status and title (D29). */
export const PROBLEM_TYPES = {
  'invalid-order': [400, 'The order is invalid'],
  unauthenticated: [401, 'The token is missing or unknown'],
  forbidden: [403, 'The token does not allow this'],
  'not-found': [404, 'Not found'],
  'method-not-allowed': [405, 'Method not allowed'],
  'not-acceptable': [406, 'No acceptable media type'],
  'slow-body': [408, 'The body took too long'],
  'broken-body': [400, 'The body is incomplete'],
  conflict: [409, 'Another order has this Id'],
  'too-large': [413, 'The body is too large'],
  'wrong-host': [421, 'Nothing is served under this host name'],
  'unsupported-media-type': [415, 'Unsupported media type'],
  'unknown-fault': [400, 'The requested fault is unknown'],
  'rate-limited': [429, 'Too many requests'],
  internal: [500, 'Internal error'],
  unavailable: [503, 'Temporarily unavailable'],
} as const;
