/** Returns compact JSON with line breaks and indentation. Every digit and every string stays as it is. */
export function indented(json: string): string {
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  return json.replace(
    /"(?:[^"\\]|\\.)*"|([[{])(\s*[\]}])?|([\]}])|(,)|(:)|\s+/g,
    (token, open, empty, close, comma, colon) => {
      if (empty) return `${open}${empty.trim()}`;
      if (open) depth++;
      if (close) depth--;
      if (open || comma) return token + line();
      if (close) return line() + token;
      if (colon) return ': ';
      return token.startsWith('"') ? token : '';
    },
  );
}
