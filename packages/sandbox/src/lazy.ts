import { readdir, realpath } from 'node:fs/promises'
import { shortened } from './lease.ts'
import type { Sandbox, SandboxOptions } from './sandbox.ts'

/** A sandbox opened by its first program, or at start-up if a killed node may have left programs there. */
export interface LazySandbox {
  open(): Promise<Sandbox>
  /** Also works if it was never opened. */
  close(): Promise<void>
}

export function lazySandbox(options: SandboxOptions): LazySandbox {
  let sandbox: Promise<Sandbox> | undefined
  let isClosed = false
  const open = () => {
    sandbox ??= import('./sandbox.ts').then(({ openSandbox }) => openSandbox(options))
    sandbox.catch(() => {
      sandbox = undefined
    })
    return sandbox
  }
  const sweep = isUsed(options.state)
    .then((used) => (used && !isClosed ? open() : undefined)) // opening sweeps
    .catch(options.onError)
  return {
    open,
    async close() {
      isClosed = true
      await sweep
      await (await sandbox?.catch(() => undefined))?.close()
    },
  }
}

async function isUsed(state: string): Promise<boolean> {
  const folder = await realpath(state).catch(() => undefined)
  return folder !== undefined && (await readdir(shortened(folder)).catch(() => [])).length > 0
}
