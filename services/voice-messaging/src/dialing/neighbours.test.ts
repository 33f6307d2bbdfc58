import { shownNeighbours, sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { callNeighbours } from '../testing/neighbours.ts'

// FLOOD=1000 npx vitest run services/voice-messaging/src/dialing/neighbours.test.ts
const flood = sized(200, 1_000)

test(`${flood} ringing calls of one tenant do not block calls of another`, {
  timeout: 180_000,
}, async () => {
  const measured = await callNeighbours(flood, 20)
  console.log(`from a message to its call, ${shownNeighbours(measured)}`)
  // Of a hundred concurrent calls.
  expect(measured.ringing, 'ringing calls are limited to their fair share').toBe(75)
})
