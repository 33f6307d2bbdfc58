import { createInterface } from 'node:readline/promises'
import { printable } from './output.ts'

/** Whether a person reads our output and can reply. */
export const isTerminal = () => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Asks the user for confirmation. Anything but yes is no. */
export async function confirmed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${printable(question)} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}

/** Writes a transient line on a terminal, which the next one replaces; an empty one clears it. */
export function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${printable(line)}`)
}
