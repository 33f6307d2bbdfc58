import {
  appendFileSync,
  existsSync,
  fstatSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import tls from 'node:tls'
import { isStillAlive, processStart } from '@icosa/module'
import type { Config } from '../config.ts'
import type { ControlAddress } from './control/server.ts'
import { shownText } from './log-line.ts'

/** The `icosa dev` that runs on a data folder, as other commands find it. */
export interface Instance {
  readonly pid: number
  /** Ids of processes are used again: this tells it from others. */
  readonly start?: string | undefined
  readonly url: string
  readonly startedAt: string
  readonly control?: ControlAddress
}

const fileIn = (folder: string) => join(folder, 'instance.json')

/** Lets other commands know of this process; what it answers takes that back. */
export function announceInstance(folder: string, known: Omit<Instance, 'pid' | 'start'>): () => void {
  const instance: Instance = { pid: process.pid, start: processStart(process.pid), ...known }
  writeFileSync(fileIn(folder), `${JSON.stringify(instance)}\n`, { mode: 0o600 })
  return () => {
    if (runningInstance(folder)?.pid === process.pid) rmSync(fileIn(folder), { force: true })
  }
}

/** Undefined if none runs: one that was killed leaves its file behind. */
export function runningInstance(folder: string): Instance | undefined {
  try {
    const instance: Instance = JSON.parse(readFileSync(fileIn(folder), 'utf8'))
    return isStillAlive(instance.pid, instance.start) ? instance : undefined
  } catch {
    return undefined
  }
}

/** The same settings, with the address of the instance on their data folder where they have none. */
export function addressed(config: Config): Config {
  const instance = config.publicUrls.length === 0 ? runningInstance(config.dataDirectory) : undefined
  if (instance) trustAuthority(config.dataDirectory)
  return instance ? { ...config, publicUrls: [instance.url] } : config
}

/** From here on this process trusts the authority of `icosa dev --tls` on a data folder, if it has one. */
export function trustAuthority(folder: string): void {
  const file = authorityFile(folder)
  if (!existsSync(file)) return
  // Node has it from 24.5 on.
  tls.setDefaultCACertificates?.([...tls.getCACertificates('default'), readFileSync(file, 'utf8')])
}

/** The certificate of a folder's authority, for those who are to trust it. */
export const authorityFile = (folder: string) => join(folder, 'tls', 'ca.pem')

export const logIn = (folder: string) => join(folder, 'icosa.log')

const maxLogBytes = 10 * 1024 ** 2

/** From here on a file has all that this process says, too: lines of the log as JSON, which people see as `shownLine` has them. */
export async function keepLog(folder: string): Promise<void> {
  const file = logIn(folder)
  if (isStdout(file)) return
  setAsideIfLong(file)
  await chmod(file, 0o600).catch(() => {}) // one of an earlier version
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream)
    stream.write = (chunk: string | Uint8Array, ...rest: never[]) => {
      const text = String(chunk)
      if (text.startsWith('\r')) return write(chunk, ...rest) // a line that the next one replaces
      setAsideIfLong(file)
      appendFileSync(file, chunk, { mode: 0o600 })
      return write(shownText(text, stream), ...rest)
    }
  }
}

/** Whether this process prints to the file anyway, as a detached one does. */
function isStdout(file: string): boolean {
  const [stdout, log] = [fstatSync(process.stdout.fd), statSync(file, { throwIfNoEntry: false })]
  return stdout.ino === log?.ino && stdout.dev === log.dev
}

/** A log that has grown long makes room for a new one. */
export function setAsideIfLong(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > maxLogBytes) renameSync(file, `${file}.1`)
}
