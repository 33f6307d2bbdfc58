import {
  type Authentication,
  type Db,
  developmentSigningId,
  isInOperation,
  openDatabase,
  prepareDatabase,
  replaceDevelopmentKey,
  type Service,
  systemClock,
} from '@icosa/kernel'
import { print, remark, table, UsageError } from '@icosa/module'
import type { Chosen } from '../choose.ts'
import type { Config } from '../config.ts'
import type { FoundDatabase } from '../database.ts'
import { nodeOptions, runNode, withPlatform } from '../node.ts'
import { vaultOf } from '../vault.ts'
import { announceInstance, keepLog } from './instance.ts'
import { isLocal, localHostnames } from './settings.ts'
import { localTls } from './tls.ts'

export interface Development {
  readonly config: Config
  readonly api: { readonly host: string; readonly port: number }
  readonly chosen: Chosen
  readonly key: string
  readonly ready: Promise<FoundDatabase>
  readonly tls: boolean
  /** Whether it is announced to a program. */
  readonly json: boolean
}

/** Everything in one process, on a database that is prepared for it. */
export async function runDev({ config, api, chosen, key, ready, ...asked }: Development): Promise<void> {
  await keepLog(config.dataDirectory)
  let withdraw = () => {}
  const roles = { api, worker: { concurrency: config.concurrency } }
  const tls = asked.tls ? await localTls(config.dataDirectory) : undefined
  const hostnames = isLocal(api.host) ? localHostnames : undefined
  await runNode(
    ready,
    chosen,
    async (url, services) => {
      await prepare(url, services, config, key)
      return { ...nodeOptions(config, url, services, roles), development: true, hostnames, tls }
    },
    (node, database, services) => {
      const url = tls ? (node.url ?? '').replace(/^http:/, 'https:') : (node.url ?? '')
      withdraw = announceInstance(config.dataDirectory, { url, startedAt: systemClock.now().toISOString() })
      announce(asked.json, url, services, key, database.described)
    },
  ).finally(() => withdraw())
}

async function prepare(url: string, chosen: readonly Service[], config: Config, key: string): Promise<void> {
  const database = openDatabase({ url, maxConnections: 2, onError: (error) => remark(error.message) })
  try {
    await database.transaction(refuseOperated) // before anything is changed there
    if (config.databaseUrl) remark(warning)
    await prepareDatabase(database, withPlatform(chosen, 'virtual'), ({ owner, name }) =>
      remark(`applied ${owner}/${name}`),
    )
    const vault = await vaultOf(config, database)
    await database.transaction(async (db) => {
      await refuseOperated(db)
      await replaceDevelopmentKey(db, systemClock, vault, key)
    })
  } finally {
    await database.close()
  }
}

const warning =
  'The database at DATABASE_URL will accept the key of development mode, which everybody knows: do not keep anything important there.'

async function refuseOperated(db: Db): Promise<void> {
  if (await isInOperation(db))
    throw new UsageError(
      'This database is in operation (`icosa migrate`, `serve` or `worker` used it), and development mode would open it to everybody: unset DATABASE_URL, or choose another database or --data folder.',
    )
}

/** What a caller sends, or gives its SDK, under the names that it has there. */
function credentialsOf(authentication: Authentication, key: string): Record<string, string> {
  switch (authentication.kind) {
    case 'none':
      return {}
    case 'key':
      return { header: authentication.header, key }
    case 'bearer':
      return { header: 'Authorization', key: `Bearer ${key}` }
    case 'basic':
      return { header: 'Authorization', key: `Basic ${Buffer.from(`dev:${key}`).toString('base64')}` }
    case 'signature':
      return { accessKeyId: developmentSigningId, secretAccessKey: key, region: authentication.region }
  }
}

function shown({ header, key, accessKeyId, secretAccessKey, region }: Record<string, string>): string {
  if (accessKeyId) return `signed by ${accessKeyId} ${secretAccessKey} ${region}`
  return header ? `${header}: ${key}` : 'no credential'
}

/** How to call each API: a table for people, one line of JSON for programs. */
function announce(json: boolean, url: string, chosen: readonly Service[], key: string, database: string) {
  const rows = withPlatform(chosen, 'virtual').flatMap(({ letter = null, name, apis }) =>
    apis.map(({ at = '', dialect }) => ({
      service: letter,
      name,
      url: `${url}/${name}${at}`,
      credentials: credentialsOf(dialect.authentication, key),
    })),
  )
  const own = rows.filter(({ service }) => service !== null)
  const [platform] = rows.filter(({ service }) => service === null)
  if (json) return print(JSON.stringify({ url, services: own, platform }))

  const cells = rows.map(({ service, url: at, credentials }) => [service ?? '', at, shown(credentials)])
  print(`\nIcosa is ready at ${url}   (database: ${database})\n`)
  print(table(['', 'service', 'credential'], cells))
  print(
    '\nPress Ctrl-C to stop; your data will be there at the next start. `icosa clock` moves the clock, `icosa reset` deletes the data.',
  )
}
