import { type Cell, costPerMessage, someKeys, startCellWith } from '../../services/event-detection/src/testing/load.ts'
import { steady } from '../../services/event-detection/src/testing/models.ts'
import { type Figure, median } from '../figures.ts'

const keys = Number(process.env.BENCH_KEYS ?? 1_000_000)
const rounds = 2 * Number(process.env.BENCH_ROUNDS ?? 5)
const goal = 1.5

/** Cost of a message with few and with many stored keys, alternately, by one worker; each message has another key. */
export async function flat(): Promise<Figure[]> {
  await using large = await startCellWith(steady, keys)
  const figures: Figure[] = []
  for (const few of [1_000, 20_000]) {
    await using small = await startCellWith(steady, few)
    figures.push(...(await compare(small, large, few)))
  }
  return figures
}

async function compare(small: Cell, large: Cell, few: number): Promise<Figure[]> {
  const samples: { cheap: number; dear: number }[] = []
  for (let round = 0; round <= rounds; round++) {
    const cheap = await costPerMessage(small, someKeys(few, few))
    const dear = await costPerMessage(large, someKeys(few, keys))
    if (round > 0) samples.push({ cheap, dear }) // the first round warms up
  }
  const ratio = median(samples.map(({ cheap, dear }) => dear / cheap))
  const [fewKeys, manyKeys] = [few.toLocaleString('en'), keys.toLocaleString('en')]
  const subject = `message with ${manyKeys} stored keys, ${fewKeys} at a time`
  const comparedWith = `one with ${fewKeys} stored keys`
  return [
    { name: `${subject}, cost`, value: ratio, unit: '×', comparedWith, goal: { atMost: goal } },
    { name: `${subject}, time`, value: median(samples.map(({ dear }) => dear)), unit: 'µs' },
  ]
}
