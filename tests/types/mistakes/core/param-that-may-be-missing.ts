// Type 'string | undefined' is not assignable to type 'string'.
import type { Issue } from 'sales-order-intake';

export function suggestionOf(issue: Issue): string {
  return issue.code === 'unknown_member' ? issue.params.suggestion : '';
}
