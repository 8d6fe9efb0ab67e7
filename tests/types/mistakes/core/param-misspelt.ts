// Property 'limt' does not exist on type
import type { Issue } from 'sales-order-intake';

export function limitOf(issue: Issue): number {
  return issue.code === 'too_large' ? issue.params.limt : 0;
}
