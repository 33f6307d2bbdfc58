import { serve } from '@icosa/compute/serve'
import type { Analyse, Analysis, Question } from './analysis.ts'
import { Unreadable } from './image/refusal.ts'

/** An analysis, or the reason why the photo cannot be read. */
export type Answer = { readonly analysis: Analysis } | { readonly unreadable: string }

await serve(async (models) => {
  const analyse = await open(models)
  return async (question: Question): Promise<Answer> => {
    try {
      return { analysis: await analyse(question) }
    } catch (error) {
      if (error instanceof Unreadable) return { unreadable: error.message }
      throw error
    }
  }
})

/** A missing package is reported as unavailable, not as an invalid photo. */
async function open(models: string): Promise<Analyse> {
  try {
    const { openAnalysis } = await import('./analysis.ts')
    return await openAnalysis(models)
  } catch (error) {
    const { loadingProblem, onnxruntimeVersion } = await import('../needs.ts')
    const message = loadingProblem(error as Error, onnxruntimeVersion())
    throw Object.assign(new Error(message, { cause: error }), { kind: 'unavailable' })
  }
}
