import { serve } from '@icosa/compute/serve'

/** Burns CPU for `forMs` milliseconds. */
await serve(() => (forMs: number) => {
  const end = performance.now() + forMs
  while (performance.now() < end);
})
