import { openPool } from '@icosa/compute'
import type { Answer } from '../engine/frame.ts'
import type { Analysis } from '../engine/report.ts'
import type { Question } from './engine-module.ts'

/** Opens the engine without a sandbox, in one process for many samples. */
export function openTestEngine() {
  const pool = openPool<Question, Answer[]>({
    name: 'test engine',
    module: new URL('./engine-module.ts', import.meta.url),
    as: 'processes',
    deadlineMs: 300_000,
    memoryMb: 2_048,
  })
  const all = (files: readonly Uint8Array[], emulateMs = 60_000) => pool.run('tests', { files, emulateMs })
  return {
    all,
    async one(file: Uint8Array, emulateMs?: number): Promise<Analysis> {
      const [answer] = await all([file], emulateMs)
      if (!answer || !('report' in answer)) throw new Error(JSON.stringify(answer))
      return answer
    },
    close: () => pool.close(),
  }
}
