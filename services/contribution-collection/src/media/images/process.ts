import { serve } from '@icosa/compute/serve'
import type { Answer, Question } from './pictures.ts'

// Native code that reads what strangers sent: whatever a picture does to this process, the node goes on.
await serve(async () => {
  const { copies, inspect, Unreadable } = await import('./work.ts')
  return async ({ file, formats }: Question): Promise<Answer> => {
    try {
      return formats ? { copies: await copies(file, formats) } : { inspection: await inspect(file) }
    } catch (error) {
      if (error instanceof Unreadable) return { unreadable: error.message }
      throw error
    }
  }
})
