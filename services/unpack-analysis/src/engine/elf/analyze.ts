import type { AnalyzeOptions } from '../analyze.ts'
import { Malformed } from '../malformed.ts'
import type { Analysis } from '../report.ts'

export function analyzeElf(_file: Buffer, _options: AnalyzeOptions): Analysis {
  throw new Malformed('ELF is not read yet.')
}
