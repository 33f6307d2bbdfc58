/** Cost of a GET of one stored row through PgBouncer in transaction mode, compared with a direct connection. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey, openDatabase, systemClock } from '@icosa/kernel'
import { createTestDatabase, example, startPgBouncer } from '@icosa/testing'
import { insert } from '../../packages/testing/src/example/notes/store.ts'
import { type Figure, median, record } from '../figures.ts'
import { load, startServer } from '../load.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const tenant = 'bench'

await using testDatabase = await createTestDatabase([example])
await using bouncer = await startPgBouncer(testDatabase.url, 10)
const blobs = mkdtempSync(join(tmpdir(), 'icosa-bench-'))
const database = openDatabase({ url: testDatabase.url, maxConnections: 1, onError: () => {} })
const { key } = await createKey(database, systemClock, { tenant, name: 'bench', permissions: ['*'] })
const note = await database.transaction((db) => insert(db, tenant, { title: 'A note', text: 'x' }, systemClock.now()))
await database.close()

const servers = {
  direct: await startServer(new URL('../requests/ours.ts', import.meta.url), [testDatabase.url, blobs]),
  pooled: await startServer(new URL('../requests/ours.ts', import.meta.url), [bouncer.url, blobs]),
}
type Name = keyof typeof servers
const samples: { name: Name; connections: number; perSecond: number; cpuUs: number }[] = []
/** Both at the same time, so that other load slows both alike. */
async function both(connections: number) {
  const path = `/example/notes/${note.id}`
  const one = async (name: Name) => {
    const sample = await load(servers[name], { connections, seconds, path, headers: { 'x-api-key': key } })
    return { name, connections, ...sample }
  }
  return Promise.all([one('direct'), one('pooled')])
}

await both(32)
for (let round = 0; round < rounds; round++)
  for (const connections of [1, 32]) samples.push(...(await both(connections)))
for (const { child } of Object.values(servers)) child.kill('SIGKILL')
rmSync(blobs, { recursive: true, force: true })

record(
  [1, 32].flatMap((connections): Figure[] => {
    const of = (name: Name, figure: 'perSecond' | 'cpuUs') =>
      median(
        samples
          .filter((sample) => sample.name === name && sample.connections === connections)
          .map((sample) => sample[figure]),
      )
    const read = `read through PgBouncer, ${connections === 1 ? '1 connection' : `${connections} connections`}`
    const ratio = of('pooled', 'perSecond') / of('direct', 'perSecond')
    return [
      { name: read, value: ratio, unit: '×', comparedWith: 'a direct connection' },
      { name: `${read}, requests`, value: of('pooled', 'perSecond'), unit: '/s' },
      { name: `${read}, CPU`, value: of('pooled', 'cpuUs'), unit: 'µs' },
      { name: `${read}, CPU with a direct connection`, value: of('direct', 'cpuUs'), unit: 'µs' },
    ]
  }),
)
