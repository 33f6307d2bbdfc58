import { Failure } from '@icosa/kernel'
import type { Sandbox } from '@icosa/sandbox'
import type { Runtime } from '../runtimes/index.ts'
import { nodeChecker, pythonChecker } from './checkers.ts'
import { buildFailure } from './refusal.ts'

const limits = { memoryBytes: 512 * 2 ** 20, processes: 64, diskBytes: 2 ** 20, outputBytes: 2 ** 16 }

export interface SyntaxCheck {
  readonly folder: string
  readonly runtime: Runtime
  readonly timeLimitMs: number
  readonly signal: AbortSignal
}

/** Parses every file of a source inside the sandbox, since parsers may have bugs. Errors have file and line. */
export async function checkSyntax(sandbox: Sandbox, check: SyntaxCheck): Promise<void> {
  const { folder, runtime, timeLimitMs, signal } = check
  const [program = ''] = runtime.argv({ memoryBytes: limits.memoryBytes })
  const argv = runtime.name.startsWith('python')
    ? [program, '-B', '-I', '-c', pythonChecker]
    : [program, '--no-warnings', '--experimental-vm-modules', '--max-old-space-size=256', '-e', nodeChecker]
  const { ended, code, stdout, stderr } = await sandbox.run(
    {
      argv,
      binds: [...runtime.binds.filter(({ to }) => to !== '/runtime'), { from: folder, to: '/workspace' }],
      env: { PATH: '/usr/bin:/bin' },
      limits: { ...limits, wallMs: timeLimitMs },
    },
    { signal },
  )
  if (ended === 'time')
    throw buildFailure('BuildTimeout', `The build took longer than ${timeLimitMs / 1_000} s: make the source smaller.`)
  if (ended !== 'exit') throw buildFailure('SyntaxError', `The source cannot be read within the limit of ${ended}.`)
  if (code !== 0)
    throw new Failure('unavailable', `The source could not be checked: ${stderr.toString().trim().slice(-500)}`)
  const errors = stdout.toString().trim()
  if (errors !== '') throw buildFailure('SyntaxError', errors)
}
