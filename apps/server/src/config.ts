import { dirname, resolve } from 'node:path'
import type { BlobStore } from '@icosa/blobs'
import type { Facts } from '@icosa/module'
import type { Environment, Mode } from '@icosa/settings'
import type { Act } from './audit/act.ts'
import type { GivenKey } from './master-key/tokens.ts'
import { type PlatformSettings, platformSettings } from './settings.ts'

/** Platform settings, and the environment, from which each service reads its own. */
export interface Config extends Omit<PlatformSettings, 'blobs' | 's3' | 'publicUrls' | 'masterKeys' | 'fetchAllow'> {
  readonly env: Environment
  /** Whether unset variables get development defaults. */
  readonly development: boolean
  /** Public addresses of the platform; mails and names contain the first. */
  readonly publicUrls: readonly string[]
  readonly masterKeys: readonly GivenKey[]
  readonly fetchAllow: readonly string[]
  readonly blobs: BlobStore | undefined
  /** The operator's action, which `withDatabase` records in the audit log. */
  readonly act?: Act | undefined
}

export function readConfig(env: Environment, { development = false }: Mode = {}): Config {
  const { publicUrls = [], masterKeys = [], fetchAllow = [], ...values } = platformSettings.read(env, { development })
  const dataDirectory = resolve(values.dataDirectory)
  return { ...values, env, development, dataDirectory, publicUrls, masterKeys, fetchAllow, blobs: blobStore(values) }
}

function blobStore({
  blobs,
  blobsMinFree,
  s3,
}: Pick<PlatformSettings, 'blobs' | 'blobsMinFree' | 's3'>): BlobStore | undefined {
  if (blobs === undefined) return undefined
  if (!blobs.startsWith('s3://')) return { directory: resolve(blobs), minFreeBytes: blobsMinFree }
  const { hostname: bucket, pathname } = new URL(blobs)
  const prefix = pathname.replace(/^\/|\/$/g, '')
  return {
    s3: {
      bucket,
      region: s3.region ?? s3.defaultRegion,
      ...(s3.endpoint && { endpoint: s3.endpoint, forcePathStyle: true }),
      ...(prefix && { prefix: `${prefix}/` }),
    },
  }
}

/** The first public address, or else the local one. */
export const baseUrlOf = ({ publicUrls: [first], host, port }: Pick<Config, 'publicUrls' | 'host' | 'port'>) =>
  first ?? `http://${host}:${port}`

export function factsOf(config: Config, databaseUrl: Facts['databaseUrl'] = config.databaseUrl): Facts {
  const { region, dataDirectory, development } = config
  const hasDevelopmentDatabase = config.databaseUrl === undefined
  return {
    baseUrl: baseUrlOf(config),
    region,
    scratchDirectory: dataDirectory,
    developmentDirectory: development || hasDevelopmentDatabase ? dataDirectory : undefined,
    databaseUrl,
    hasDevelopmentDatabase,
    async developmentServer() {
      const { findPostgresBinaries } = await import('./dev/postgres-binaries.ts')
      return dirname((await findPostgresBinaries()).postgres)
    },
  }
}
