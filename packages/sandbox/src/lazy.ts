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
  let opened: Promise<Sandbox> | undefined
  let isClosed = false
  const open = () => {
    opened ??= import('./sandbox.ts').then(({ openSandbox }) => openSandbox(options))
    opened.catch(() => {
      opened = undefined
    })
    return opened
  }
  const looked = isUsed(options.state)
    .then((used) => (used && !isClosed ? open() : undefined)) // opening sweeps
    .catch(options.onError)
  return {
    open,
    async close() {
      isClosed = true
      await looked
      await (await opened?.catch(() => undefined))?.close()
    },
  }
}

async function isUsed(state: string): Promise<boolean> {
  const folder = await realpath(state).catch(() => undefined)
  return folder !== undefined && (await readdir(shortened(folder)).catch(() => [])).length > 0
}
