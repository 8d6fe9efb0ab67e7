// This comparison appears to be unintentional because the types
import type { Issue } from 'sales-order-intake';

export function isLarge(issue: Issue): boolean {
  return issue.code === 'too_larg';
}
