import type { ComponentChildren } from 'preact';
import { Icon } from './field';

interface Props {
  title: string;
  /** From an error: it says what to do. */
  message: string;
  note: ComponentChildren;
  retry: () => void;
  /** More buttons. */
  children?: ComponentChildren;
}

/** An error of the page itself, and how to continue. */
export function FailureCard({ title, message, note, retry, children }: Props) {
  return (
    <section class="card failed" role="alert">
      <h2>
        <Icon name="error" /> {title}
      </h2>
      <p>{message}</p>
      <p class="aside">{note}</p>
      <div class="bar">
        <button type="button" onClick={retry}>
          Try again
        </button>
        {children}
      </div>
    </section>
  );
}
