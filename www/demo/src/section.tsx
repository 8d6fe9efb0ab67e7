import type { ComponentChildren } from 'preact';
import type { Draft } from './draft';
import type { Dispatch } from './edit';
import type { Said } from './issues';

/** What every part of the editor is given. */
export interface SectionProps {
  draft: Draft;
  edit: Dispatch;
  issues: Said[];
}

export function Section({ title, at, children }: { title: string; at: string; children: ComponentChildren }) {
  return (
    <section class="card" id={at} tabIndex={-1} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
