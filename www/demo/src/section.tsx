import type { ComponentChildren } from 'preact';
import type { Draft } from './draft';
import type { Dispatch } from './edit';
import { type Edited, RowMessages } from './field';
import { issuesAt, type PageIssue } from './issues';

/** Props of every part of the editor: the order, whose fields and lists it edits. */
export interface SectionProps extends Edited<Draft> {
  edit: Dispatch;
}

interface Props {
  title: string;
  at: string;
  issues: PageIssue[];
  children: ComponentChildren;
}

/** A part of the editor. Messages about the part as a whole are beside its heading. */
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
