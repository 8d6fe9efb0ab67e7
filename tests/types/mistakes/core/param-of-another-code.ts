// Property 'limit' does not exist on type '{}'.
import type { Issue } from 'sales-order-intake';

export function limitOf(issue: Issue): number {
  return issue.code === 'not_a_guid' ? issue.params.limit : 0;
}
