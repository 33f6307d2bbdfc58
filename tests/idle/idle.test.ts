import { type Job, job, type Service, sql } from '@icosa/kernel'
import { example } from '@icosa/testing'
import { expect, test } from 'vitest'
import { startIdleCell, statementsIn } from './cell.ts'

const maxRate = 10
const apis = 2

const rateIn = async (windowMs: number) => {
  const counts = await statementsIn(windowMs)
  return counts.values().reduce((sum, count) => sum + count, 0) / (windowMs / 1_000)
}

test('four workers cost an idle cell little more than one', async () => {
  const idle = job<object>('idle', { run: async () => {} }) as Job<never>
  const schedules = [{ job: idle, everyMs: 500, hasWork: () => sql`select from example.notes` }]
  const service: Service = { ...example, jobs: [idle], schedules }
  await using _ = await startIdleCell([service], 4, apis)
  await expect.poll(() => rateIn(3_000), { timeout: 60_000, interval: 0 }).toBeLessThan(maxRate / 2)
})

test.runIf(process.env.NIGHTLY).for([1, 2, 4])(
  `%i idle workers of all services, with ${apis} API nodes, send at most ${maxRate} statements a second`,
  { timeout: 300_000 },
  async (workers) => {
    const { withPlatform } = await import('../../apps/server/src/node.ts')
    const { allServices } = await import('../../apps/server/src/services.ts')
    const services = withPlatform(await allServices(), 'system')
    await using _ = await startIdleCell(services, workers, apis)
    const rate = async () => {
      const perSecond = await rateIn(60_000) // includes work that is due once a minute
      console.log(`${workers} workers: ${perSecond.toFixed(1)} statements a second`)
      return perSecond
    }
    // Services fill their tables first.
    await expect.poll(rate, { timeout: 240_000, interval: 1_000 }).toBeLessThan(maxRate)
  },
)
