import { serve } from '@icosa/compute/serve'

await serve(() => (text: string) => text.match(/\S+/g)?.length ?? 0)
