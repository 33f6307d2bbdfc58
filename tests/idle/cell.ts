import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RunningNode, type Service, startNode } from '@icosa/kernel'
import { createTestDatabase, testNode } from '@icosa/testing'
import pg from 'pg'

export interface IdleCell extends AsyncDisposable {
  readonly nodes: readonly RunningNode[]
}

/** Idle workers and API nodes of some services on one database. */
export async function startIdleCell(services: readonly Service[], workers: number, apis: number): Promise<IdleCell> {
  const opened = new AsyncDisposableStack()
  const blobs = await mkdtemp(join(tmpdir(), 'icosa-idle-'))
  opened.defer(() => rm(blobs, { recursive: true, force: true }))
  const database = opened.use(await createTestDatabase(services))
  const { api, worker: _, ...options } = testNode(services, database.url, blobs)
  const nodes: RunningNode[] = []
  const start = async (role: Pick<Parameters<typeof startNode>[0], 'api' | 'worker'>) => {
    const node = await startNode({ ...options, clock: 'system', ...role })
    opened.defer(() => node.stop())
    nodes.push(node)
  }
  for (let number = 0; number < workers; number++) await start({ worker: { concurrency: 32 } })
  for (let number = 0; number < apis; number++) await start(api ? { api } : {})
  return { nodes, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Counts by text the statements that this process sends in a period, including BEGIN and COMMIT. */
export async function statementsIn(ms: number): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    const [first] = args as [string | { text: string }]
    const text = typeof first === 'string' ? first : first.text
    counts.set(text, (counts.get(text) ?? 0) + 1)
    return (query as (...args: unknown[]) => unknown).apply(this, args)
  } as typeof query
  await sleep(ms)
  pg.Client.prototype.query = query
  return counts
}
