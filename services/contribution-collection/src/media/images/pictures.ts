import { openPool, WorkerLost } from '@icosa/compute'
import { Failure, type Metrics } from '@icosa/kernel'
import type { Position } from '../content/exif.ts'
import type { Format } from '../formats.ts'

export interface Inspection {
  /** Upright size. */
  readonly width: number
  readonly height: number
  readonly position?: Position | undefined
}

export interface Copy {
  readonly label: string
  readonly content: Uint8Array
  readonly width: number
  readonly height: number
}

export interface Question {
  readonly file: Uint8Array
  /** Renditions to make; without them, the file is only inspected. */
  readonly formats?: readonly Format[]
}

export type Answer =
  | { readonly inspection: Inspection }
  | { readonly copies: readonly Copy[] }
  | { readonly unreadable: string }

/** Reads pictures in separate processes. */
export interface Pictures {
  /** Refuses other files, and pictures that are too large. */
  inspect(fairnessKey: string, file: Uint8Array, signal?: AbortSignal): Promise<Inspection>
  copies(
    fairnessKey: string,
    file: Uint8Array,
    formats: readonly Format[],
    signal?: AbortSignal,
  ): Promise<readonly Copy[]>
  close(): Promise<void>
}

export function openPictures({ size = 2, metrics }: { size?: number; metrics?: Metrics } = {}): Pictures {
  const pool = openPool<Question, Answer>({
    name: 'pictures',
    module: new URL('./process.ts', import.meta.url),
    as: 'processes',
    size,
    memoryMb: 1_024,
    deadlineMs: 60_000,
    ...(metrics && { metrics }),
  })
  const ask = async (fairnessKey: string, question: Question, signal: AbortSignal | undefined): Promise<Answer> => {
    try {
      const answer = await pool.run(fairnessKey, question, { ...(signal && { signal }) })
      if ('unreadable' in answer) throw new Failure('invalid', answer.unreadable)
      return answer
    } catch (error) {
      if (error instanceof WorkerLost && error.why !== 'closed')
        throw new Failure('invalid', `The image could not be processed. ${error.message}`)
      throw error
    }
  }
  return {
    async inspect(fairnessKey, file, signal) {
      const answer = await ask(fairnessKey, { file }, signal)
      return (answer as { inspection: Inspection }).inspection
    },
    async copies(fairnessKey, file, formats, signal) {
      const answer = await ask(fairnessKey, { file, formats }, signal)
      return (answer as { copies: readonly Copy[] }).copies
    },
    close: () => pool.close(),
  }
}
