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

/** A running `icosa dev`, as other commands find it in its data folder. */
export interface Instance {
  readonly pid: number
  /** Start time of the process, since process ids are reused. */
  readonly start?: string | undefined
  readonly url: string
  readonly startedAt: string
  readonly control?: ControlAddress
}

const fileIn = (folder: string) => join(folder, 'instance.json')

/** Announces this process to other commands; the returned function withdraws it. */
export function announceInstance(folder: string, known: Omit<Instance, 'pid' | 'start'>): () => void {
  const instance: Instance = { pid: process.pid, start: processStart(process.pid), ...known }
  writeFileSync(fileIn(folder), `${JSON.stringify(instance)}\n`, { mode: 0o600 })
  return () => {
    if (runningInstance(folder)?.pid === process.pid) rmSync(fileIn(folder), { force: true })
  }
}

/** Returns undefined if none is running: a killed instance leaves its file behind. */
export function runningInstance(folder: string): Instance | undefined {
  try {
    const instance: Instance = JSON.parse(readFileSync(fileIn(folder), 'utf8'))
    return isStillAlive(instance.pid, instance.start) ? instance : undefined
  } catch {
    return undefined
  }
}

/** Adds the address of the running instance to settings without a public URL. */
export function addressed(config: Config): Config {
  const instance = config.publicUrls.length === 0 ? runningInstance(config.dataDirectory) : undefined
  if (instance) trustAuthority(config.dataDirectory)
  return instance ? { ...config, publicUrls: [instance.url] } : config
}

/** Makes this process trust the CA of `icosa dev --tls` in a data folder, if there is one. */
export function trustAuthority(folder: string): void {
  const file = authorityFile(folder)
  if (!existsSync(file)) return
  // Since Node 24.5.
  tls.setDefaultCACertificates?.([...tls.getCACertificates('default'), readFileSync(file, 'utf8')])
}

/** CA certificate of a data folder, for clients to trust. */
export const authorityFile = (folder: string) => join(folder, 'tls', 'ca.pem')

export const logIn = (folder: string) => join(folder, 'icosa.log')

const maxLogBytes = 10 * 1024 ** 2

/** Copies all output of this process to a file. Log lines are JSON there; the terminal shows them by `shownLine`. */
export async function keepLog(folder: string): Promise<void> {
  const file = logIn(folder)
  if (isStdout(file)) return
  setAsideIfLong(file)
  await chmod(file, 0o600).catch(() => {}) // created by an earlier version
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream)
    stream.write = (chunk: string | Uint8Array, ...rest: never[]) => {
      const text = String(chunk)
      if (text.startsWith('\r')) return write(chunk, ...rest) // a progress line
      setAsideIfLong(file)
      appendFileSync(file, chunk, { mode: 0o600 })
      return write(shownText(text, stream), ...rest)
    }
  }
}

/** Whether stdout is this file already, as in a detached process. */
function isStdout(file: string): boolean {
  const [stdout, log] = [fstatSync(process.stdout.fd), statSync(file, { throwIfNoEntry: false })]
  return stdout.ino === log?.ino && stdout.dev === log.dev
}

/** Rotates a log that has grown too long. */
export function setAsideIfLong(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > maxLogBytes) renameSync(file, `${file}.1`)
}
