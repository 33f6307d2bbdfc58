import { expect, test } from 'vitest'
import { startBoth } from './support.ts'

test('the cost of reading an encrypted value is measured', async () => {
  await using world = await startBoth()
  const keyIdentifier = await (await world.openModule('costly')).make('one')
  const properties = { encryption: { keyVaultProperties: { keyIdentifier } } }
  const both = { clear: await world.open('cost-clear'), encrypted: await world.open('cost-encrypted', { properties }) }
  for (const store of Object.values(both)) await store.put('/kv/color', { value: 'x'.repeat(1_000) })
  const rounds = { clear: [] as number[], encrypted: [] as number[] }
  for (let round = 0; round < 8; round++)
    for (const name of ['clear', 'encrypted'] as const) {
      const begun = performance.now()
      for (let index = 0; index < 25; index++) {
        const answers = await Promise.all(Array.from({ length: 4 }, () => both[name].get('/kv/color')))
        expect(answers.every(({ status, body }) => status === 200 && body.value.length === 1_000)).toBe(true)
      }
      rounds[name].push((performance.now() - begun) / 100)
    }
  const best = (all: readonly number[]) => Math.min(...all)
  console.log(
    `GET of a key-value: ${best(rounds.clear).toFixed(2)} ms in clear, ${best(rounds.encrypted).toFixed(2)} ms encrypted: ` +
      `${(best(rounds.encrypted) / best(rounds.clear)).toFixed(2)} times`,
  )
})
