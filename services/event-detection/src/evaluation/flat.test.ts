import { expect, test } from 'vitest'
import { costPerMessage, someKeys, startCellWith } from '../testing/load.ts'
import { steady } from '../testing/models.ts'

const few = 1_000
const many = 30_000
const rounds = 12
const messages = 1_000

test('a message costs the same however many keys are stored', async () => {
  await using small = await startCellWith(steady, few)
  await using large = await startCellWith(steady, many)
  const costs: { cheap: number; expensive: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const cheap = await costPerMessage(small, someKeys(messages, few))
    const expensive = await costPerMessage(large, someKeys(messages, many))
    costs.push({ cheap, expensive })
  }
  // Other load adds to a cost, so the minimum is the best estimate.
  const [cheap, expensive] = [
    Math.min(...costs.map((cost) => cost.cheap)),
    Math.min(...costs.map((cost) => cost.expensive)),
  ]
  console.log(`a message costs ${cheap.toFixed(0)} us with ${few} stored keys, ${expensive.toFixed(0)} us with ${many}`)
  expect(expensive / cheap).toBeLessThan(1.5)
})
