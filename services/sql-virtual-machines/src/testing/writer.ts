import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectTo } from './tenant.ts'

/** Writes rows through an address, and records which were acknowledged. */
export interface Writer {
  readonly acknowledged: ReadonlySet<number>
  /** Number of acknowledged rows since the last call. */
  sinceLast(): number
  /** Longest time without an acknowledged write since the last call. */
  maxGapMs(): number
  /** Errors other than lost connections. */
  readonly errors: readonly string[]
  stop(): Promise<void>
}

/** Writes at a rate through a few connections, which reconnect when they break. */
export async function startWriter(url: string, perSecond: number, connections = 4): Promise<Writer> {
  const setup = await connectTo(url)
  await setup.query('create table if not exists written (id bigint primary key)')
  await setup.end()
  const acknowledged = new Set<number>()
  const errors: string[] = []
  let next = 0
  let count = 0
  let last = performance.now()
  let gap = 0
  let isStopped = false
  const onAcknowledged = () => {
    const now = performance.now()
    gap = Math.max(gap, now - last)
    last = now
    count++
  }

  async function write(): Promise<void> {
    let client: pg.Client | undefined
    const paceMs = (1_000 * connections) / perSecond
    while (!isStopped) {
      const startedAt = performance.now()
      const id = next++
      try {
        client ??= await connectTo(url)
        await client.query('insert into written values ($1)', [id])
        acknowledged.add(id)
        onAcknowledged()
      } catch (error) {
        const { message, code = '' } = error as Error & { code?: string }
        if (error instanceof pg.DatabaseError && !/^(57P|08|25006)/.test(code)) errors.push(message)
        await client?.end().catch(() => {})
        client = undefined
        await sleep(50)
      }
      await sleep(Math.max(0, paceMs - (performance.now() - startedAt)))
    }
    await client?.end().catch(() => {})
  }
  const writers = Array.from({ length: connections }, write)
  return {
    acknowledged,
    errors,
    sinceLast() {
      const result = count
      count = 0
      return result
    },
    maxGapMs() {
      const result = Math.max(gap, performance.now() - last)
      gap = 0
      return Math.round(result)
    },
    async stop() {
      isStopped = true
      await Promise.all(writers)
    },
  }
}

/** Rows that were acknowledged but do not exist. */
export async function lost(url: string, { acknowledged }: Writer): Promise<number[]> {
  const client = await connectTo(url)
  try {
    const { rows } = await client.query<{ id: string }>('select id from written')
    const stored = new Set(rows.map(({ id }) => Number(id)))
    return [...acknowledged].filter((id) => !stored.has(id))
  } finally {
    await client.end()
  }
}
