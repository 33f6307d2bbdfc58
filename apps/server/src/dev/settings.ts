import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, readConfig } from '../config.ts'

/** Fills in unset settings for development; all files are in the data folder. */
export async function devConfig({ env }: Config): Promise<Config> {
  const config = readConfig(env, { development: true })
  await mkdir(config.dataDirectory, { recursive: true, mode: 0o711 }) // the database's user traverses it
  const masterKeys = config.masterKeys.length > 0 ? config.masterKeys : [await masterKey(config.dataDirectory)]
  const blobs = config.blobs ?? { directory: join(config.dataDirectory, 'blobs'), minFreeBytes: config.blobsMinFree }
  return { ...config, masterKeys, blobs, clock: 'virtual' }
}

/** The nodes' settings: the environment alone if it names a database, otherwise those of development mode. */
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

/** As spelled in the Host header. */
export const localHostnames = localHosts.map((host) => (host.includes(':') ? `[${host}]` : host))

/**
 * The key of development mode. On loopback it is the same everywhere, so that examples work verbatim; on any other
 * host it is random.
 */
export async function devKey(config: Config, host: string): Promise<string> {
  if (isLocal(host)) return 'icosa-dev-key'
  const file = join(config.dataDirectory, 'dev-key')
  await writeFile(file, `icosa_${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 }).catch(() => {})
  return (await readFile(file, 'utf8')).trim()
}
