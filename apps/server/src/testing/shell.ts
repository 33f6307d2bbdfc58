import type { Environment } from '@icosa/settings'
import { vi } from 'vitest'
import { advice } from '../advice.ts'
import { main } from '../main.ts'

/** Runs a command in this process; returns its stdout. */
export type Shell = (...args: string[]) => Promise<string>

/** Runs a command in this process, which takes a tenth of the time of its own; returns its output. */
export async function printedBy(args: readonly string[], env: Environment) {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const remarks = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    await main(args, env)
    const [stdout = '', stderr = ''] = [out, remarks].map(({ mock }) => mock.calls.join('').trim())
    if (process.exitCode) throw new Error(stdout + stderr) // as of `status` while the instance is not ready
    return { stdout, stderr }
  } finally {
    process.exitCode = undefined
    out.mockRestore()
    remarks.mockRestore()
  }
}

export const shellOf =
  (env: Environment): Shell =>
  async (...args) =>
    (await printedBy(args, env)).stdout

/** Runs a command that must fail in this process; returns its error message. */
export const refusalOf = (args: readonly string[], env: Environment): Promise<string> =>
  printedBy(args, env).then(
    () => 'it was not refused',
    (error: Error) => advice(error) ?? error.stack ?? error.message,
  )
