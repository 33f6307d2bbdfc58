import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive } from '@icosa/module'
import type { Config } from '../config.ts'
import type { ControlAddress } from './control/server.ts'

/** The `icosa dev` that runs on a data folder, as other commands find it. */
export interface Instance {
  readonly pid: number
  readonly url: string
  readonly startedAt: string
  readonly control?: ControlAddress
}

const fileIn = (folder: string) => join(folder, 'instance.json')

/** Lets other commands know of this process; what it answers takes that back. */
export function announceInstance(folder: string, known: Omit<Instance, 'pid'>): () => void {
  const instance: Instance = { pid: process.pid, ...known }
  writeFileSync(fileIn(folder), `${JSON.stringify(instance)}\n`, { mode: 0o600 })
  return () => {
    if (runningInstance(folder)?.pid === process.pid) rmSync(fileIn(folder), { force: true })
  }
}

/** Undefined if none runs: one that was killed leaves its file behind. */
export function runningInstance(folder: string): Instance | undefined {
  try {
    const instance: Instance = JSON.parse(readFileSync(fileIn(folder), 'utf8'))
    return isAlive(instance.pid) ? instance : undefined
  } catch {
    return undefined
  }
}

/** The same settings, with the address of the instance on their data folder where they have none. */
export function addressed(config: Config): Config {
  const instance = config.publicUrls.length === 0 ? runningInstance(config.dataDirectory) : undefined
  return instance ? { ...config, publicUrls: [instance.url] } : config
}

export const logIn = (folder: string) => join(folder, 'icosa.log')

const longestLogBytes = 10 * 1024 ** 2

/** From here on a file has all that this process says, too. */
export async function keepLog(folder: string): Promise<void> {
  const file = logIn(folder)
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size > longestLogBytes) await rename(file, `${file}.1`)
  await chmod(file, 0o600).catch(() => {}) // one of an earlier version
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream)
    stream.write = (chunk: string | Uint8Array, ...rest: never[]) => {
      appendFileSync(file, chunk, { mode: 0o600 })
      return write(chunk, ...rest)
    }
  }
}
