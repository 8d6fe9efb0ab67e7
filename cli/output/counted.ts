const NUMBER = new Intl.NumberFormat('en');

/** Formats a whole number: 5,000. */
export function number(count: number): string {
  return NUMBER.format(count);
}

/** Formats a number of things: "1 order", "5,000 orders". */
export function counted(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
}
