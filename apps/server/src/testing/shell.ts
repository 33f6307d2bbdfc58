import { vi } from 'vitest'
import { main } from '../main.ts'

/** Runs a command in this process; returns its stdout. */
export type Shell = (...args: string[]) => Promise<string>

export function shellOf(env: Readonly<Record<string, string>>): Shell {
  return async (...args) => {
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const remarks = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    try {
      await main(args, env)
      return out.mock.calls.join('').trim()
    } finally {
      out.mockRestore()
      remarks.mockRestore()
    }
  }
}
