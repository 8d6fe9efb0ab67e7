/** A heap of events: the earliest is taken first, and by `tie` if several have the same time. */

const isBefore = (a, b) => a.at < b.at || (a.at === b.at && a.tie < b.tie);

export function push(heap, event) {
  let index = heap.length;
  heap.push(event);
  while (index > 0) {
    const above = (index - 1) >> 1;
    if (!isBefore(event, heap[above])) break;
    heap[index] = heap[above];
    index = above;
  }
  heap[index] = event;
}

export function pop(heap) {
  const first = heap[0];
  const last = heap.pop();
  if (heap.length === 0 || last === undefined) return first;
  let index = 0;
  for (;;) {
    let below = 2 * index + 1;
    if (below >= heap.length) break;
    if (below + 1 < heap.length && isBefore(heap[below + 1], heap[below])) below++;
    if (!isBefore(heap[below], last)) break;
    heap[index] = heap[below];
    index = below;
  }
  heap[index] = last;
  return first;
}
