import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, readConfig } from '../config.ts'

/** What the environment leaves open, filled in for a laptop: all of it lies in the data folder. */
export async function devConfig({ env }: Config): Promise<Config> {
  const config = readConfig(env, { development: true })
  await mkdir(config.dataDirectory, { recursive: true, mode: 0o711 }) // the database's user goes through it
  const masterKeys = config.masterKeys.length > 0 ? config.masterKeys : [await masterKey(config.dataDirectory)]
  const blobs = config.blobs ?? { directory: join(config.dataDirectory, 'blobs'), minFreeBytes: config.blobsMinFree }
  return { ...config, masterKeys, blobs, clock: 'virtual' }
}

/** What the nodes run with: the environment alone where it names a database, otherwise development mode's settings. */
export const settledConfig = async (config: Config) => (config.databaseUrl ? config : devConfig(config))

async function masterKey(folder: string): Promise<Uint8Array> {
  const file = join(folder, 'master-key')
  const fresh = randomBytes(32).toString('base64')
  await writeFile(file, `${fresh}\n`, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return Buffer.from((await readFile(file, 'utf8')).trim(), 'base64')
}

const localHosts = ['127.0.0.1', '::1', 'localhost']

export const isLocal = (host: string) => localHosts.includes(host)

/** As request headers spell them. */
export const localHostnames = localHosts.map((host) => (host.includes(':') ? `[${host}]` : host))

/**
 * The credential of development mode. On loopback it is the same everywhere, so that examples work as they are
 * written; as soon as others can reach the port it is a random one.
 */
export async function devKey(config: Config, host: string): Promise<string> {
  if (isLocal(host)) return 'icosa-dev-key'
  const file = join(config.dataDirectory, 'dev-key')
  await writeFile(file, `icosa_${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 }).catch(() => {})
  return (await readFile(file, 'utf8')).trim()
}
