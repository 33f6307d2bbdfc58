import { type Cell, costPerMessage, someKeys, startCellWith } from '../../services/event-detection/src/testing/load.ts'
import { steady } from '../../services/event-detection/src/testing/models.ts'
import { median } from '../figures.ts'

const many = Number(process.env.BENCH_KEYS ?? 1_000_000)
const rounds = 2 * Number(process.env.BENCH_ROUNDS ?? 5)
const goal = 1.5

/** What a message costs one worker where few keys are stored and where many are, by turns; each message for another key. */
export async function flat(): Promise<boolean> {
  await using large = await startCellWith(steady, many)
  console.log('\nwhat a message costs one worker, each for another key, median of rounds\n')
  console.log('at a time    keys stored  us       keys stored  us       ratio')
  let worst = 0
  for (const few of [1_000, 20_000]) {
    await using small = await startCellWith(steady, few)
    worst = Math.max(worst, await compare(small, large, few))
  }
  console.log(`\nratio ${worst.toFixed(2)}, goal at most ${goal}`)
  return worst <= goal
}

async function compare(small: Cell, large: Cell, few: number): Promise<number> {
  const samples: { cheap: number; dear: number }[] = []
  for (let round = 0; round <= rounds; round++) {
    const cheap = await costPerMessage(small, someKeys(few, few))
    const dear = await costPerMessage(large, someKeys(few, many))
    if (round > 0) samples.push({ cheap, dear }) // the first warms up
  }
  const ratio = median(samples.map(({ cheap, dear }) => dear / cheap))
  const cells = [
    String(few).padEnd(11),
    String(few).padStart(11),
    median(samples.map(({ cheap }) => cheap))
      .toFixed(0)
      .padEnd(7),
    String(many).padStart(11),
    median(samples.map(({ dear }) => dear))
      .toFixed(0)
      .padEnd(7),
    ratio.toFixed(2),
  ]
  console.log(cells.join('  '))
  return ratio
}
