import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectTo } from './tenant.ts'

/** Programs that write row after row through an address, and remember which were acknowledged. */
export interface Writer {
  readonly acknowledged: ReadonlySet<number>
  /** How many rows were acknowledged since the last question. */
  sinceLast(): number
  /** How long no write was acknowledged, at most, since the last question. */
  maxGapMs(): number
  /** Errors other than lost connections. */
  readonly errors: readonly string[]
  stop(): Promise<void>
}

/** So many rows a second, by a few connections, each of which is made again when it breaks. */
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
  let isOver = false
  const noted = () => {
    const now = performance.now()
    gap = Math.max(gap, now - last)
    last = now
    count++
  }

  async function write(): Promise<void> {
    let client: pg.Client | undefined
    const paceMs = (1_000 * connections) / perSecond
    while (!isOver) {
      const began = performance.now()
      const id = next++
      try {
        client ??= await connectTo(url)
        await client.query('insert into written values ($1)', [id])
        acknowledged.add(id)
        noted()
      } catch (error) {
        const { message, code = '' } = error as Error & { code?: string }
        if (error instanceof pg.DatabaseError && !/^(57P|08|25006)/.test(code)) errors.push(message)
        await client?.end().catch(() => {})
        client = undefined
        await sleep(50)
      }
      await sleep(Math.max(0, paceMs - (performance.now() - began)))
    }
    await client?.end().catch(() => {})
  }
  const all = Array.from({ length: connections }, write)
  return {
    acknowledged,
    errors,
    sinceLast() {
      const now = count
      count = 0
      return now
    },
    maxGapMs() {
      const now = Math.max(gap, performance.now() - last)
      gap = 0
      return Math.round(now)
    },
    async stop() {
      isOver = true
      await Promise.all(all)
    },
  }
}

/** Rows that were acknowledged and are not there. */
export async function lost(url: string, { acknowledged }: Writer): Promise<number[]> {
  const client = await connectTo(url)
  try {
    const { rows } = await client.query<{ id: string }>('select id from written')
    const there = new Set(rows.map(({ id }) => Number(id)))
    return [...acknowledged].filter((id) => !there.has(id))
  } finally {
    await client.end()
  }
}
