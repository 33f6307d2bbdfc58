import { shownNeighbours, sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { defaultSettings } from '../index.ts'
import { trainersOf } from '../settings.ts'
import { trainingNeighbours } from '../testing/neighbours.ts'

const trainings = sized(5, 20)
const size = { intents: sized(10, 50), utterances: sized(20, 30), entities: 2 }

test(`${trainings} trainings hardly slow down predictions, and stop when their apps are deleted`, async () => {
  const measured = await trainingNeighbours(trainings, sized(40, 2_000), size)
  console.log(
    `predictions, ${shownNeighbours(measured)}; ${measured.left} still to be trained, ` +
      `ended ${measured.cancelledMs.toFixed(0)} ms after they were deleted`,
  )
  expect(measured.left, 'the trainings ended before the measurement').toBeGreaterThan(0)
  expect(measured.maxRunning, 'one tenant never gets all threads').toBeLessThan(trainersOf(defaultSettings))
  // Training threads have low priority; waiting for one would take seconds.
  expect(measured.flooded.p50).toBeLessThan(3 * measured.quiet.p50)
}, 300_000)
