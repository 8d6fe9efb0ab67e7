'use client';
import { useEffect } from 'react';
import { run } from '../program.mjs';

export default function Page() {
  useEffect(() => {
    // Imported here, because it reads the address of the page, which the server does not have.
    import('../page.mjs').then(({ base, report }) => report(run(base)));
  }, []);
  return <p>page</p>;
}
