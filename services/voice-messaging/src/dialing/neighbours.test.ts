import { shownNeighbours, sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { callNeighbours } from '../testing/neighbours.ts'

// FLOOD=1000 npx vitest run services/voice-messaging/src/dialing/neighbours.test.ts
const flood = sized(200, 1_000)

test(`${flood} calls of one tenant ring and nobody answers: another tenant's are placed`, {
  timeout: 180_000,
}, async () => {
  const measured = await callNeighbours(flood, 20)
  console.log(`from a message to its call, ${shownNeighbours(measured)}`)
  // Of a hundred calls at once; whoever waits for one of them waits for as long as it rings.
  expect(measured.held, 'those that ring have their share, and no more').toBe(75)
})
