import { Icon } from './field';

/** Where the core could not start. Says what to do, in the words of the package. */
export function Refused({ failure, retry }: { failure: Error; retry: () => void }) {
  return (
    <section class="card refused" role="alert">
      <header>
        <h2>
          <Icon name="error" /> The core could not start
        </h2>
      </header>
      <p>{failure.message}</p>
      <p class="aside">
        Nothing is checked or computed without it: the rules and the figures of this page are its own. The form keeps
        what you type.
      </p>
      <button type="button" onClick={retry}>
        Try again
      </button>
    </section>
  );
}
