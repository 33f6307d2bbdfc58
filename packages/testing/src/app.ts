import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blobStore } from '@icosa/blobs'
import { type Client, client, type Target } from '@icosa/client'
import type { Contract } from '@icosa/contract'
import { guardedFetch } from '@icosa/fetch'
import {
  type ClockMove,
  createKey,
  createSigningSecret,
  type IssuedSigningSecret,
  moveClock,
  type NodeOptions,
  type Platform,
  type RunningNode,
  type Service,
  sealedColumnsOf,
  startNode,
} from '@icosa/kernel'
import { createLog, openTelemetry } from '@icosa/telemetry'
import { jwtTokens, masterKeyVault } from '@icosa/tokens'
import { createTestDatabase } from './database.ts'
import { withDeclaredPurposes } from './declared-keys.ts'

export interface TestApp extends AsyncDisposable {
  readonly url: string
  readonly databaseUrl: string
  readonly platform: Platform
  /** Routes of the node. */
  readonly routes: RunningNode['routes']
  readonly jobs: {
    /** Runs all due jobs, until none is left. */
    drain(): Promise<void>
  }
  readonly clock: {
    move(move: ClockMove): Promise<void>
    advance(byMs: number): Promise<void>
  }
  /** Creates a key of a tenant, with all permissions by default. */
  key(tenant: string, permissions?: readonly string[]): Promise<string>
  /** Creates a signing secret of a tenant, with all permissions by default. */
  signingSecret(tenant: string, permissions?: readonly string[]): Promise<IssuedSigningSecret>
  client<C extends Contract>(contract: C, target: Omit<Target, 'baseUrl'>, service?: Service): Client<C>
}

export interface TestAppOptions extends Partial<Omit<NodeOptions, 'services'>> {
  readonly services: readonly Service[]
}

/** Of every test node, so that what one has sealed can be opened elsewhere. */
export const testMasterKeys: readonly Uint8Array[] = [Buffer.alloc(32, 1)]

/** Node options for tests, on a given database. */
export function testNode(services: readonly Service[], databaseUrl: string, blobs: string): NodeOptions {
  return {
    services,
    databaseUrl,
    maxConnections: 10,
    vault: withDeclaredPurposes(
      masterKeyVault({ masterKeys: testMasterKeys, sealed: () => sealedColumnsOf(services) }),
      services,
    ),
    log: createLog({ level: process.env.LOG_LEVEL ?? 'fatal' }),
    telemetry: openTelemetry(),
    clock: 'virtual',
    blobs: blobStore({ directory: blobs }),
    tokens: jwtTokens(),
    fetch: () => guardedFetch({ allow: ['127.0.0.0/8', '::1/128'] }),
    subscriptions: 'first',
    api: { host: '127.0.0.1', port: 0 },
    worker: { concurrency: 16, background: false },
    drainMs: 0,
    checkReplies: true,
  }
}

/** Starts services on a port and a database of their own, over real HTTP; `await using` stops them. */
export async function startTestApp(services: Service | TestAppOptions): Promise<TestApp> {
  const options = 'services' in services ? services : { services: [services] }
  const database = options.databaseUrl === undefined ? await createTestDatabase(options.services) : undefined
  const blobs = await mkdtemp(join(tmpdir(), 'icosa-blobs-'))
  const databaseUrl = options.databaseUrl ?? (database?.url as string)
  const node = await startNode({ ...testNode(options.services, databaseUrl, blobs), ...options })
  const { platform, worker, url = '' } = node

  const move = async (moved: ClockMove) => {
    await platform.database.transaction((db) => moveClock(db, moved))
    await node.clock?.refresh()
  }
  return {
    url,
    databaseUrl,
    platform,
    routes: node.routes,
    jobs: { drain: async () => worker?.drain() },
    clock: { move, advance: (byMs) => move({ byMs }) },
    async key(tenant, permissions = ['*']) {
      const name = `test ${randomBytes(3).toString('hex')}`
      return (await createKey(platform.database, platform.clock, { tenant, name, permissions })).key
    },
    signingSecret(tenant, permissions = ['*']) {
      return createSigningSecret(platform.database, platform.clock, platform.cellVault, {
        tenant,
        name: 'test',
        permissions,
      })
    },
    client(contract, target, service = options.services[0]) {
      return client(contract, { ...target, baseUrl: `${url}/${service?.name}` })
    },
    async [Symbol.asyncDispose]() {
      await node.stop()
      await database?.[Symbol.asyncDispose]()
      await rm(blobs, { recursive: true, force: true })
    },
  }
}
