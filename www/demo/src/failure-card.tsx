import type { ComponentChildren } from 'preact';
import { Icon } from './field';

/**
 * Shown instead of an empty page if rendering throws.
 *
 * @param startOver Sets the draft aside and continues with another one.
 */
export function Crashed({ error, retry, startOver }: { error: unknown; retry: () => void; startOver: () => void }) {
  return (
    <main class="crashed">
      <h1>Sales order intake</h1>
      <FailureCard
        title="This page failed to show the order"
        message={String(error)}
        note="Your draft is not lost. Try again, or start over: the list of examples then has it as “Draft set aside”."
        retry={retry}
      >
        <button type="button" onClick={startOver}>
          Start over
        </button>
      </FailureCard>
    </main>
  );
}

interface CardProps {
  title: string;
  /** From an error: it says what to do. */
  message: string;
  note: ComponentChildren;
  retry: () => void;
  /** More buttons. */
  children?: ComponentChildren;
}

/** An error of the page itself, and how to continue. */
export function FailureCard({ title, message, note, retry, children }: CardProps) {
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
