/** The mode of files that have personal data: only their owner can read them. */
export const PRIVATE = 0o600;
