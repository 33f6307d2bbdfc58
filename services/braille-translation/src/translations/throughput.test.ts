import { expect, test } from 'vitest'
import { translate } from '../liblouis/translate.ts'
import { liblouisAlone, paragraph } from '../testing/liblouis-alone.ts'
import { unicode } from './forms.ts'

const ROUNDS = 40
const CALLS = 10

function milliseconds(work: () => void): number {
  const start = performance.now()
  for (let call = 0; call < CALLS; call++) work()
  return (performance.now() - start) / CALLS
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

test('translation reaches at least 0.7 of the throughput of bare liblouis', () => {
  const alone = liblouisAlone(paragraph)
  const ours = () => unicode(translate(paragraph).cells)
  milliseconds(alone)
  milliseconds(ours)

  // Alternating, so that other load on the machine affects both.
  const rounds = Array.from({ length: ROUNDS }, () => ({ alone: milliseconds(alone), ours: milliseconds(ours) }))
  const ratio = median(rounds.map((round) => round.alone / round.ours))
  console.log(
    `${paragraph.length} characters: liblouis alone ${median(rounds.map((round) => round.alone)).toFixed(3)} ms, ` +
      `ours ${median(rounds.map((round) => round.ours)).toFixed(3)} ms, ratio ${ratio.toFixed(2)}`,
  )
  expect(ratio).toBeGreaterThanOrEqual(0.7)
})
