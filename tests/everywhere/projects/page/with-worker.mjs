import { base, report } from './page.mjs';

const worker = new Worker('./worker.mjs', { type: 'module' });
report(
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(base);
  }),
);
