/** Collects values into arrays of at most `most`. */
export async function* batches<Value>(values: AsyncIterable<Value>, most: number): AsyncGenerator<Value[], void, void> {
  let batch: Value[] = [];
  for await (const value of values) {
    batch.push(value);
    if (batch.length < most) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
