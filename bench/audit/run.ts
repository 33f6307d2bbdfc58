/** Notes written with the audit log and limits of the platform on the node, and without, by turns on the same database. */
import { type Service, sql } from '@icosa/kernel'
import { operating } from '@icosa/platform'
import { createTestDatabase, example, startTestApp } from '@icosa/testing'
import { Agent, request } from 'undici'
import { median } from '../figures.ts'

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

async function write(url: string, count: number): Promise<Sample> {
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

for (const app of [bare, audited]) await write(app.url, 200)
const samples: [Sample, Sample][] = []
for (let round = 0; round < rounds; round++)
  samples.push([await write(bare.url, writes), await write(audited.url, writes)])
const of = (which: 0 | 1, figure: keyof Sample) => Math.round(median(samples.map((sample) => sample[which][figure])))
const ratio = median(samples.map(([without, withIt]) => withIt.perSecond / without.perSecond))
const { rows } = await bare.platform.database.one<{ rows: number }>(
  sql`select count(*)::int as rows from platform.audit`,
)
console.log(`${writes} notes a round, ${connections} connections, median of ${rounds} rounds`)
console.log(
  `without: ${of(0, 'perSecond')} a second, ${of(0, 'cpuUs')} us of CPU; with: ${of(1, 'perSecond')} a second, ${of(1, 'cpuUs')} us; ratio ${ratio.toFixed(2)}`,
)
console.log(`${rows} rows in the audit log, of ${rounds * writes + 200}`)
await agent.close()
