import type { Entry } from 'sales-order-intake/outbox';
import { fileIssueData } from './order-issue.js';

const TEXTS: Record<Entry['outcome'], { message: string; hint: string }> = {
  created: {
    message: 'The order at the point of sale has the earlier contents: it was created before it was changed here',
    hint: 'correct it at the point of sale; under a new Id or key there would be a second one',
  },
  unknown: {
    message: 'The order is or may be at the point of sale with its earlier contents; the changed one was not sent',
    hint: 'look for it at the point of sale first; under a new Id or key there may be a second one',
  },
  'not-created': {
    message: 'The order was being sent with its earlier contents, and was not created; the changed one was not sent',
    hint: 'run the command again to send the changed order',
  },
};

/** Returns the issue of an order that an earlier run sent, or may have sent, with other contents (D54). */
export function changedOrderIssue(outcome: Entry['outcome']) {
  return fileIssueData({ code: 'order_changed', ...TEXTS[outcome] });
}
