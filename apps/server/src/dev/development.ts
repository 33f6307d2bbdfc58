import {
  type Db,
  type FaultInjector,
  isInOperation,
  type Lacking,
  type Log,
  openDatabase,
  prepareDatabase,
  type RunningNode,
  replaceDevelopmentKey,
  type Service,
  startNode,
  systemClock,
  type TlsKeys,
  type UnmetNeed,
} from '@icosa/kernel'
import { UsageError } from '@icosa/module'
import type { Controls } from '@icosa/platform'
import { createLog } from '@icosa/telemetry'
import type { Chosen } from '../choose.ts'
import type { Config } from '../config.ts'
import type { FoundDatabase } from '../database.ts'
import { front } from '../front/front.ts'
import { journalOf } from '../front/journal.ts'
import { nodeOptions, withPlatform } from '../node.ts'
import { vaultOf } from '../vault.ts'
import { isLocal, localHostnames } from './settings.ts'

export interface DevelopmentOptions {
  /** Reads environment and data folder at each start: a restore may bring another folder's keys. */
  readonly configure: () => Promise<Config>
  readonly api: { readonly host: string; readonly port: number }
  readonly chosen: Chosen
  /** The credential of the tenant `dev`. */
  readonly key: string
  /** Starts or finds the database, at each start. */
  readonly openDatabase: () => Promise<FoundDatabase>
  readonly tls?: TlsKeys | undefined
  readonly log?: Log | undefined
  readonly faultInjector?: FaultInjector | undefined
  /** Faults and snapshots, as operations of the platform. */
  readonly controls: Controls
  /** Unmet needs by service, as far as they are known. */
  readonly lacking?: (() => Lacking) | undefined
  readonly unmetNeeds?: (() => readonly UnmetNeed[]) | undefined
  readonly say: (line: string) => void
  /** Whether the database has the tables and the key of this instance before the first start. */
  readonly isPrepared?: boolean
  /** Prints a line that the next one replaces; an empty one clears it. */
  readonly progress?: ((line: string) => void) | undefined
}

/** A development node: API and worker in this process, with a database of their own. */
export interface Development {
  readonly url: string
  readonly services: readonly Service[]
  readonly database: FoundDatabase
  readonly node: RunningNode
  /**
   * Runs `work` while node and database are stopped; their in-memory state is dropped and loaded again afterwards.
   * `discarding`: does not wait for running requests and jobs, whose effects will be lost anyway.
   * `prepared`: the work leaves a database that already has the tables and the key of this instance.
   */
  whileStopped<T>(how: Stopping, work: () => Promise<T>): Promise<T>
  stop(how?: Pick<Stopping, 'discarding'>): Promise<void>
}

interface Stopping {
  readonly discarding: boolean
  readonly prepared?: boolean
}

interface Part {
  readonly services: readonly Service[]
  readonly database: FoundDatabase
  readonly node: RunningNode
}

export async function startDevelopment(options: DevelopmentOptions): Promise<Development> {
  const { api } = options
  let part: Part | undefined = await startPart(options)
  let turn: Promise<unknown> = Promise.resolve()
  let hasEnded = false

  /** Runs stops and restarts one at a time. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work)
    turn = result.catch(() => {})
    return result
  }

  const running = (): Part => {
    if (part) return part
    throw new UsageError('This instance is not running.')
  }

  async function stopPart(discarding: boolean): Promise<void> {
    const stopped = part
    part = undefined
    await stopped?.node.stop(discarding ? 0 : undefined)
    await stopped?.database.close({ discarding })
  }

  return {
    url: `${options.tls ? 'https' : 'http'}://${hostOf(api.host)}:${api.port}`,
    get services() {
      return running().services
    },
    get database() {
      return running().database
    },
    get node() {
      return running().node
    },
    whileStopped: ({ discarding, prepared }, work) =>
      alone(async () => {
        if (hasEnded) throw new UsageError('This instance was closed.')
        await stopPart(discarding)
        try {
          return await work()
        } finally {
          part = await startPart(options, prepared)
        }
      }),
    stop: ({ discarding } = { discarding: false }) =>
      alone(async () => {
        hasEnded = true
        await stopPart(discarding)
      }),
  }
}

const hostOf = (host: string) => (host.includes(':') ? `[${host}]` : host)

async function startPart(options: DevelopmentOptions, prepared = false): Promise<Part> {
  const { api, chosen, key, tls, faultInjector, lacking, unmetNeeds, log } = options
  const config = await options.configure()
  const finding = options.openDatabase()
  finding.catch(() => {}) // awaited below
  const creating = chosen.create(finding.then(({ url }) => url))
  creating.catch(() => {}) // awaited below, once there is a database to close
  const database = await finding
  try {
    const services = await creating
    const roles = { api, worker: { concurrency: config.concurrency } }
    const usual = nodeOptions(config, database.url, services, roles, { controls: options.controls }) // refuses wrong settings before tables are created
    if (!prepared && !options.isPrepared) await prepareDevelopment(database.url, services, config, options)
    if (!prepared) await chosen.inspect(database.url)
    const hostnames = isLocal(api.host) ? localHostnames : undefined
    const own = {
      front: front(usual.services, { key, journal: journalOf(chosen, database.url, config.dataDirectory), lacking }),
      lacking,
      unmetNeeds,
      development: true,
      hostnames,
      tls,
      faultInjector,
    }
    const complete = { ...usual, ...own, ...(log && { log }) }
    return { database, services, node: await startNode(complete) }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Creates the tables of these services, and the key of the tenant `dev`. */
export async function prepareDevelopment(
  url: string,
  chosen: readonly Service[],
  config: Config,
  { key, say, progress }: Pick<DevelopmentOptions, 'key' | 'say' | 'progress'>,
): Promise<void> {
  const database = openDatabase({ url, maxConnections: 2, onError: (error) => say(error.message) })
  try {
    await database.transaction(refuseOperated) // before anything is changed there
    if (config.databaseUrl) say(warning)
    let applied = 0
    await prepareDatabase(database, withPlatform(chosen, 'virtual'), {
      onApplied: ({ owner, name }) => progress?.(`Migration ${++applied}: ${owner}/${name}`),
      onWaiting: say,
    })
    progress?.('')
    if (applied > 0) say(applied === 1 ? '1 migration applied' : `${applied} migrations applied`)
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
  'The database at DATABASE_URL will accept the key of development mode, which is public: do not keep anything important there.'

async function refuseOperated(db: Db): Promise<void> {
  if (await isInOperation(db))
    throw new UsageError(
      'This database is in operation (`icosa migrate`, `serve` or `worker` used it), and development mode would open it to anyone: unset DATABASE_URL, or choose another database or --data folder.',
    )
}

/** A log that discards everything. */
export const silentLog = () => createLog({ level: 'silent', destination: { write() {} } })
