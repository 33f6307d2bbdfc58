import { serve } from '@icosa/compute/serve'
import { type Analysis, openAnalysis, type Question } from './analysis.ts'
import { Unreadable } from './image/refusal.ts'

/** What the process answers: an analysis, or in words why there is none. */
export type Answer = { readonly analysis: Analysis } | { readonly unreadable: string }

await serve(async (models) => {
  const analyse = await openAnalysis(models)
  return async (question: Question): Promise<Answer> => {
    try {
      return { analysis: await analyse(question) }
    } catch (error) {
      if (error instanceof Unreadable) return { unreadable: error.message }
      throw error
    }
  }
})
