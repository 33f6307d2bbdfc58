import { demandProgram, isElf } from './magic.ts'
import { Malformed } from './malformed.ts'
import { analyzePe } from './pe/analyze.ts'
import type { Analysis } from './report.ts'

export interface AnalyzeOptions {
  readonly emulateMs: number
}

/** Emulates a sample until it ends or a limit is reached, and puts together what it unpacked. Nothing of it is executed. */
export function analyze(file: Buffer, options: AnalyzeOptions): Analysis {
  demandProgram(file)
  if (isElf(file)) throw new Malformed('Programs for Linux are not emulated.')
  return analyzePe(file, options)
}
