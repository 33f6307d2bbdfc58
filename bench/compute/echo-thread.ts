import { serve } from '@icosa/compute/serve'

await serve(() => (input: unknown) => input)
