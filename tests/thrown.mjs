/** Returns the error that a function throws. */
export function thrown(run) {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** Returns the error that a promise rejects with. */
export async function rejection(promise) {
  return promise.then(
    () => {
      throw new Error('nothing was thrown');
    },
    (error) => error,
  );
}
