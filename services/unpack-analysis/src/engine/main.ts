/** The engine as a program: a sample on stdin, the answer on stdout. */
import { readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { type AnalyzeOptions, analyze } from './analyze.ts'
import { frameOf } from './frame.ts'
import { Malformed, OverLimit } from './malformed.ts'

// Below requests, but not so low that samples starve on a busy machine.
setPriority(Math.min(19, getPriority() + 5))
const options = JSON.parse(process.argv[2] ?? '{}') as AnalyzeOptions

function answer(): Buffer {
  try {
    return frameOf(analyze(readFileSync(0), options))
  } catch (error) {
    if (error instanceof Malformed) return frameOf({ malformed: error.message })
    if (error instanceof OverLimit) return frameOf({ overLimit: error.message })
    throw error
  }
}

process.stdout.write(answer(), () => process.exit()) // the watchdog thread would keep it alive
