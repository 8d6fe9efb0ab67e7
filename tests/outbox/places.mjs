/** The points at which a process may die, from the order to its last settlement. */
export const PLACES = {
  add: 'add→durable',
  take: 'durable→attempt recorded',
  send: 'recorded→sent',
  answer: 'sent→answered',
  settle: 'answered→settled',
  handler: 'settled→handler',
};
