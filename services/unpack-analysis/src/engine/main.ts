/** The engine as a program of its own: a sample on stdin, what was found on stdout. */
import { readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { type AnalyzeOptions, analyze } from './analyze.ts'
import { frameOf } from './frame.ts'
import { Malformed, OverLimit } from './malformed.ts'

// Requests come first. Not by more: among other work of the machine a sample must still get somewhere.
setPriority(Math.min(19, getPriority() + 5))
const options = JSON.parse(process.argv[2] ?? '{}') as AnalyzeOptions

function found(): Buffer {
  try {
    return frameOf(analyze(readFileSync(0), options))
  } catch (error) {
    if (error instanceof Malformed) return frameOf({ malformed: error.message })
    if (error instanceof OverLimit) return frameOf({ overLimit: error.message })
    throw error
  }
}

process.stdout.write(found(), () => process.exit()) // the watchdog would watch on
