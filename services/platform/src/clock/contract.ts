import { named, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeader } from '../names.ts'

const { get, put } = keyed(keyHeader)

const Clock = named('Clock', {
  now: Type.String({ format: 'date-time' }),
  frozen: Type.Boolean({ description: 'Whether the clock is stopped.' }),
})

const thousandYearsMs = 1000 * 365 * 24 * 3600 * 1000

export const clock = {
  getClock: get('/clock', { summary: 'Read the time of the platform.', replies: { 200: Clock } }),
  moveClock: put('/clock', {
    summary: 'Move the clock of all nodes: to a time, by a number of milliseconds, or back to real time.',
    body: named('ClockMove', {
      to: Type.Optional(Type.String({ format: 'date-time' })),
      byMs: Type.Optional(Type.Integer({ minimum: -thousandYearsMs, maximum: thousandYearsMs })),
      frozen: Type.Optional(Type.Boolean({ description: 'Whether the clock is stopped.' })),
      reset: Type.Optional(Type.Boolean({ description: 'Back to the real time, running.' })),
    }),
    replies: { 200: Clock },
  }),
}
