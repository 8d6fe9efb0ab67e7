import type { ComponentChildren } from 'preact';
import type { Draft } from './draft';
import type { Dispatch } from './edit';
import { RowMessages } from './field';
import { at as issuesAt, type Said } from './issues';

/** What every part of the editor is given. */
export interface SectionProps {
  draft: Draft;
  edit: Dispatch;
  issues: Said[];
}

interface Props {
  title: string;
  at: string;
  issues: Said[];
  children: ComponentChildren;
}

/** A part of the editor. What is said of it as a whole stands beside its heading. */
export function Section({ title, at, issues, children }: Props) {
  return (
    <section class="card" id={at} tabIndex={-1} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <RowMessages issues={issuesAt(issues, at === '/' ? '' : at)} at={at} />
      </header>
      {children}
    </section>
  );
}
