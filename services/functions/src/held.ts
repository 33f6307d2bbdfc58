import { join } from 'node:path'
import type { OnStop, Platform } from '@icosa/kernel'
import { openSandbox, type Sandbox } from '@icosa/sandbox'
import { type FoundRuntime, openRuntimes, type Runtimes, runtimes } from './runtimes/index.ts'
import type { FunctionsSettings } from './settings.ts'

/** What a node holds for functions. */
export interface Held {
  readonly runtimes: Runtimes
  /** What this machine has. */
  foundRuntimes(): Promise<readonly FoundRuntime[]>
  /** Opened for the first build. */
  sandbox(): Promise<Sandbox>
  readonly buildFolder: string
  readonly buildMs: number
}

export const startWith =
  ({ folder, sandbox: runtime, nodejs22, buildMs }: FunctionsSettings) =>
  ({ log }: Platform, onStop: OnStop): Held => {
    let opening: Promise<Sandbox> | undefined
    let looking: Promise<FoundRuntime[]> | undefined
    onStop(async () => (await opening)?.close())
    return {
      runtimes: openRuntimes(join(folder, 'runtimes'), { nodejs22 }),
      foundRuntimes() {
        looking ??= runtimes({ nodejs22 })
        return looking
      },
      sandbox() {
        opening ??= openSandbox({
          runtime,
          state: join(folder, 'sandbox'),
          onError: (error) => log.error({ err: error }, 'the sandbox of builds'),
        })
        opening.catch(() => {
          opening = undefined // it may be possible later
        })
        return opening
      },
      buildFolder: join(folder, 'builds'),
      buildMs,
    }
  }
