/** A placeholder until the links are made. */
import type MarkdownIt from 'markdown-it';

export function playgroundLinks(_md: MarkdownIt, _base: string): void {}
