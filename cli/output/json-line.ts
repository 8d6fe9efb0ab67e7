const RISKY = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Returns a value as JSON in one line that can be printed: control characters and those that change the direction of text are
 * escaped, which JSON does only below U+0020. Some terminals take U+009B for the beginning of a command.
 */
export function jsonLine(value: unknown): string {
  return printableJson(JSON.stringify(value));
}

/** Escapes the same characters in JSON, or in a string of JavaScript: its value stays the same. */
export function printableJson(json: string): string {
  return json.replace(RISKY, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
