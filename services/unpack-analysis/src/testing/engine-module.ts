import { serve } from '@icosa/compute/serve'
import { analyze } from '../engine/analyze.ts'
import { Malformed, OverLimit } from '../engine/malformed.ts'

export interface Question {
  readonly files: readonly Uint8Array[]
  readonly emulateMs: number
}

// Many samples in one process: for tests only, with their own samples.
await serve(
  () =>
    ({ files, emulateMs }: Question) =>
      files.map((file) => {
        try {
          return analyze(Buffer.from(file), { emulateMs })
        } catch (error) {
          if (error instanceof Malformed) return { malformed: error.message }
          if (error instanceof OverLimit) return { overLimit: error.message }
          throw error
        }
      }),
)
