/** Writes notes with and without the platform's audit log and limits on the node, alternately on the same database. */
import { type Service, sql } from '@icosa/kernel'
import { operating } from '@icosa/platform'
import { createTestDatabase, example, startTestApp } from '@icosa/testing'
import { Agent, request } from 'undici'
import { median, record } from '../figures.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const writes = Number(process.env.BENCH_WRITES ?? 1_000)
const connections = 16

await using database = await createTestDatabase([example, operating])
const start = (services: readonly Service[]) =>
  startTestApp({ services, databaseUrl: database.url, checkReplies: false })
await using bare = await start([example])
await using audited = await start([example, operating])
const headers = { 'x-api-key': await bare.key('bench'), 'content-type': 'application/json' }
const body = JSON.stringify({ title: 'A note', text: 'A text' })
const agent = new Agent({ connections })

interface Sample {
  readonly perSecond: number
  readonly cpuUs: number
}

async function writeNotes(url: string, count: number): Promise<Sample> {
  let left = count
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left-- > 0) {
        const answer = await request(`${url}/example/notes`, { dispatcher: agent, method: 'POST', headers, body })
        await answer.body.dump()
        if (answer.statusCode !== 201) throw new Error(`it answered ${answer.statusCode}`)
      }
    }),
  )
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond: count / ((performance.now() - began) / 1_000), cpuUs: (user + system) / count }
}

for (const app of [bare, audited]) await writeNotes(app.url, 200)
const samples: [Sample, Sample][] = []
for (let round = 0; round < rounds; round++)
  samples.push([await writeNotes(bare.url, writes), await writeNotes(audited.url, writes)])
const of = (which: 0 | 1, figure: keyof Sample) => median(samples.map((sample) => sample[which][figure]))
const ratio = median(samples.map(([without, withIt]) => withIt.perSecond / without.perSecond))
const { rows } = await bare.platform.database.one<{ rows: number }>(
  sql`select count(*)::int as rows from platform.audit`,
)
if (rows < rounds * writes) throw new Error(`The audit log has ${rows} rows for ${rounds * writes} writes.`)
const write = `write with audit log and limits, ${connections} connections`
record([
  { name: write, value: ratio, unit: '×', comparedWith: 'the same node without them' },
  { name: `${write}, requests`, value: of(1, 'perSecond'), unit: '/s' },
  { name: `${write}, CPU with client`, value: of(1, 'cpuUs'), unit: 'µs' },
  { name: `${write}, CPU without them`, value: of(0, 'cpuUs'), unit: 'µs' },
])
await agent.close()
