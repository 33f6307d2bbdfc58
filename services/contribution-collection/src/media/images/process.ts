import { serve } from '@icosa/compute/serve'
import type { Answer, Question } from './pictures.ts'

// Native code that reads untrusted files: the node survives a crash of this process.
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
