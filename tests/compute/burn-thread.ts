import { serve } from '@icosa/compute/serve'

/** Takes the CPU for so many milliseconds. */
await serve(() => (forMs: number) => {
  const end = performance.now() + forMs
  while (performance.now() < end);
})
