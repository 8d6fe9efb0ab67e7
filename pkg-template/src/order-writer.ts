/** JSON of an order for the core. */
export interface Written {
  readonly text: string;
  /** The number of quotes and backslashes; -1 if the core need not count them. */
  readonly marks: number;
}

/** JSON that a caller gave, or the core has read before. */
export function ofJson(text: string): Written {
  return { text, marks: -1 };
}

export function escaped(written: Written): Written {
  return written;
}
