'use client';
import { useEffect } from 'react';
import { run } from '../program.mjs';

export default function Page() {
  useEffect(() => {
    // It looks at the address of the page, which the server doesn't have.
    import('../page.mjs').then(({ base, report }) => report(run(base)));
  }, []);
  return <p>page</p>;
}
