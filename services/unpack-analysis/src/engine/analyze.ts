import { analyzeElf } from './elf/analyze.ts'
import { demandProgram, isPe } from './magic.ts'
import { analyzePe } from './pe/analyze.ts'
import type { Analysis } from './report.ts'

export interface AnalyzeOptions {
  readonly emulateMs: number
}

/** Emulates a sample until it ends or a limit is reached, and puts together what it unpacked. Nothing of it is executed. */
export function analyze(file: Buffer, options: AnalyzeOptions): Analysis {
  demandProgram(file)
  return isPe(file) ? analyzePe(file, options) : analyzeElf(file, options)
}
