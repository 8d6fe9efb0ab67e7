import { Icon } from './field';

/** Shown if the core could not start. The message of the error says what to do. */
export function StartFailure({ failure, retry }: { failure: Error; retry: () => void }) {
  return (
    <section class="card failed" role="alert">
      <header>
        <h2>
          <Icon name="error" /> The core could not start
        </h2>
      </header>
      <p>{failure.message}</p>
      <p class="aside">
        Without the core, nothing is checked or calculated: all rules and amounts come from it. The form still takes
        what you type.
      </p>
      <button type="button" onClick={retry}>
        Try again
      </button>
    </section>
  );
}
