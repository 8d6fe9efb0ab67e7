/** The reference service's limit of all bodies together, in bytes received; here of responses that are not sent yet, too. */
const MOST_BYTES = 64 << 20;
/** The part of it that responses may have, so that there is room for orders. */
const MOST_RESPONSE_BYTES = 48 << 20;

/** The bodies that are being read have no room for another piece. */
export class OutOfMemory extends Error {}

/** Counts the bytes of bodies that are being handled, and of responses that are being sent. */
export class Memory {
  #bytes = 0;
  #responseBytes = 0;

  /** Returns functions that count the pieces of a body, and release them. `take` throws {@link OutOfMemory}. */
  ofBody(): { take(bytes: number): void; release(): void } {
    let taken = 0;
    return {
      take: (bytes) => {
        if (this.#bytes + bytes > MOST_BYTES) throw new OutOfMemory();
        taken += bytes;
        this.#bytes += bytes;
      },
      release: () => {
        this.#bytes -= taken;
      },
    };
  }

  /** Counts a response until it is sent. Returns false if there is no room for it and it can be refused. */
  takeResponse(body: string | Buffer, sent: Promise<unknown>, canBeRefused: boolean): boolean {
    const bytes = Buffer.byteLength(body);
    if (canBeRefused && this.#responseBytes + bytes > MOST_RESPONSE_BYTES) return false;
    const count = (more: number) => {
      this.#bytes += more;
      this.#responseBytes += more;
    };
    count(bytes);
    void sent.then(() => count(-bytes));
    return true;
  }
}
