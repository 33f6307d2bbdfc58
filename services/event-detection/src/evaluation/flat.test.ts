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
  const costs: { cheap: number; dear: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const cheap = await costPerMessage(small, someKeys(messages, few))
    const dear = await costPerMessage(large, someKeys(messages, many))
    costs.push({ cheap, dear })
  }
  // Whatever else the machine does adds to a cost: the least of several is the nearest to what it is.
  const [cheap, dear] = [Math.min(...costs.map((one) => one.cheap)), Math.min(...costs.map((one) => one.dear))]
  console.log(`a message costs ${cheap.toFixed(0)} us with ${few} stored keys, ${dear.toFixed(0)} us with ${many}`)
  expect(dear / cheap).toBeLessThan(1.5)
})
