import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestOptions, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { type Clock, type Database, openDatabase, type Service } from '@icosa/kernel'
import type { RuntimeName } from '@icosa/sandbox'
import { createTestDatabase, type TestDatabase } from '@icosa/testing'
import type { Revision } from '../../revision.ts'
import { type InstancesOptions, type Line, type OpenedInstances, openInstances } from '../index.ts'

/** A service with tables only. */
const tables = {
  name: 'functions',
  title: 'Functions',
  apis: [],
  migrations: new URL('../../../migrations/', import.meta.url),
} as unknown as Service

export interface TestResponse {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A node that serves revisions by id over real HTTP. */
export interface TestNode {
  readonly instances: OpenedInstances
  readonly port: number
  readonly lines: (Line & { readonly revision: Revision })[]
  readonly errors: unknown[]
  ask(
    revision: Revision,
    path?: string,
    options?: RequestOptions & { readonly body?: string | Buffer },
  ): Promise<TestResponse>
  /** Opens a request that the test reads and writes in chunks. */
  open(revision: Revision, path: string, options?: RequestOptions): ReturnType<typeof request>
  log(revision: Revision): string
  close(): Promise<void>
}

export interface TestSite {
  readonly database: Database
  readonly databaseUrl: string
  readonly folder: string
  readonly clock: Clock & { advance(ms: number): void }
  node(more?: Partial<InstancesOptions>): Promise<TestNode>
  /** Creates a revision of a function with these files. */
  revision(files: Readonly<Record<string, string>> | string, more?: Partial<Revision>): Revision
  closeNodes(): Promise<void>
  close(): Promise<void>
}

/** The runtime that starts fastest; the nightly run uses gVisor for all tests. */
export const quickRuntime: RuntimeName = process.env.NIGHTLY ? 'runsc' : 'bwrap'
/** Shared by all test files. */
const kits = '/tmp/icosa-function-kits'

export async function openSite(runtime: RuntimeName = quickRuntime): Promise<TestSite> {
  const testDatabase: TestDatabase = await createTestDatabase([tables])
  const database = openDatabase({ url: testDatabase.url, maxConnections: 10, onError: () => {} })
  const folder = mkdtempSync('/tmp/fn-')
  mkdirSync(kits, { recursive: true })
  symlinkSync(kits, join(folder, 'runtimes'))
  const nodes: TestNode[] = []
  let offsetMs = 0
  const clock = {
    now: () => new Date(Date.now() + offsetMs),
    advance(ms: number) {
      offsetMs += ms
    },
  }
  const closeNodes = async () => {
    await Promise.all(nodes.splice(0).map((node) => node.close()))
  }
  return {
    ...{ database, databaseUrl: testDatabase.url, folder, clock, closeNodes },
    async node(more) {
      const node = await startTestNode({ database, folder, clock }, { sandbox: { runtime }, ...more })
      nodes.push(node)
      return node
    },
    revision: (files, more) => revisionOf(folder, files, more),
    async close() {
      await closeNodes()
      await database.close()
      await testDatabase[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startTestNode(
  { database, folder, clock }: Pick<TestSite, 'database' | 'folder' | 'clock'>,
  more: Partial<InstancesOptions> = {},
): Promise<TestNode> {
  const lines: TestNode['lines'] = []
  const errors: unknown[] = []
  const instances = await openInstances({
    ...{ database, folder, clock, node: randomBytes(4).toString('hex') },
    artifacts: { open: async (_, key) => createReadStream(join(folder, key)) },
    log: (line) => lines.push(line),
    onError: (error) => errors.push(error),
    intervals: { tickMs: 50, renewMs: 150 },
    ...more,
  })
  const revisions = new Map<string, Revision>()
  const server = createServer((incoming, reply) => {
    const [, id = '', ...path] = (incoming.url ?? '').split('/')
    const revision = revisions.get(id) as Revision
    const call = { path: `/${path.join('/')}`, id: randomBytes(6).toString('hex') }
    void instances.serve(revision, incoming, reply, call).catch((error) => {
      errors.push(error)
      reply.destroy()
    })
  })
  const port = await listen(server)
  const open: TestNode['open'] = (revision, path, options = {}) => {
    revisions.set(revision.id, revision)
    return request({ port, host: '127.0.0.1', agent: false, path: `/${revision.id}${path}`, ...options })
  }
  return {
    ...{ instances, port, lines, errors, open },
    ask: async (revision, path = '/', { body, ...options } = {}) =>
      await responseOf(open(revision, path, { method: body === undefined ? 'GET' : 'POST', ...options }), body),
    log: (revision) =>
      lines
        .filter((line) => line.revision.id === revision.id)
        .map(({ text }) => text)
        .join('\n'),
    async close() {
      server.closeAllConnections()
      server.close()
      await instances.close()
    },
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const responseOf = (outgoing: ReturnType<typeof request>, body: string | Buffer | undefined) =>
  new Promise<TestResponse>((resolve, reject) => {
    outgoing.on('error', reject).on('response', (reply) => {
      reply.setEncoding('utf8')
      let text = ''
      reply.on('data', (chunk) => (text += chunk))
      reply.on('error', reject)
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: text }))
    })
    outgoing.end(body)
  })

function revisionOf(
  folder: string,
  files: Readonly<Record<string, string>> | string,
  more: Partial<Revision> = {},
): Revision {
  const isPython = more.runtime?.startsWith('python')
  const entries = typeof files === 'string' ? { [isPython ? 'main.py' : 'index.js']: files } : files
  const name = `f${randomBytes(4).toString('hex')}`
  const source = join(folder, `${name}.source`)
  for (const [path, text] of Object.entries(entries)) {
    mkdirSync(dirname(join(source, path)), { recursive: true })
    writeFileSync(join(source, path), text)
  }
  const tarball = execFileSync('tar', ['-czf', '-', '-C', source, '.'])
  const artifact = `${createHash('sha256').update(tarball).digest('hex')}.tgz`
  writeFileSync(join(folder, artifact), tarball)
  rmSync(source, { recursive: true })
  return {
    ...{ id: `${name}-00001`, tenant: 'acme', function: `projects/p/locations/l/functions/${name}`, artifact },
    ...{ runtime: 'nodejs24', entryPoint: 'main', signature: 'http', environment: {}, memoryBytes: 256 * 2 ** 20 },
    ...{ cpu: 1, timeoutMs: 60_000, concurrency: 1, minInstances: 0, maxInstances: 10, egress: { allTraffic: false } },
    ...more,
  }
}
