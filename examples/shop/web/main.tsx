import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

// Reads are repeated until the backend responds.
const queries = { networkMode: 'always', retry: true, retryDelay: 1500 } as const;
const client = new QueryClient({ defaultOptions: { queries } });

createRoot(document.getElementById('shop') as HTMLElement).render(
  <QueryClientProvider client={client}>
    <App />
  </QueryClientProvider>,
);
