import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '@icosa/module'
import type { Config } from '../config.ts'
import { type Instance, logIn, runningInstance, setAsideIfLong } from './instance.ts'

/** Starts `icosa dev` in the background, logging to a file. Returns when it is ready, or throws its error message. */
export async function startDetached({ dataDirectory, env }: Config, args: readonly string[]): Promise<Instance> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o711 }) // as in `devConfig`
  setAsideIfLong(logIn(dataDirectory))
  const log = await open(logIn(dataDirectory), 'a', 0o600)
  try {
    const { size: start } = await log.stat()
    const program = [...process.execArgv, process.argv[1] ?? '', 'dev', ...args]
    const child = spawn(process.execPath, program, {
      env: { ...env },
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
    })
    child.unref()
    await once(child, 'spawn')
    while (child.exitCode === null && child.signalCode === null) {
      const instance = runningInstance(dataDirectory)
      if (instance && instance.pid === child.pid) return instance
      await sleep(50)
    }
    const printed = (await readFile(logIn(dataDirectory))).subarray(start).toString()
    throw new UsageError(printed.slice(printed.lastIndexOf('icosa: ')).replace('icosa: ', '').trim())
  } finally {
    await log.close()
  }
}
