import { expect, test } from 'vitest'
import { compile } from './compile.ts'
import { givenState, problemWith, toStateView } from './state.ts'
import { definition, start, state } from './testing/models.ts'

const model = compile({
  detectorModelName: 'tested',
  detectorModelVersion: '1',
  detectorModelDefinition: definition(state('start', {})),
})

test('a state that a client gives reads as it was written, and no event happens', () => {
  const given = {
    stateName: 'start',
    variables: [
      { name: 'sensorCount', value: '12' },
      { name: 'rangeHigh', value: '30.0' },
      { name: 'error', value: '0.7' },
      { name: 'resetMe', value: 'true' },
      { name: 'sensorId', value: '"01"' },
      { name: 'plain', value: 'not quoted' },
    ],
    timers: [{ name: 'idle', seconds: 90 }],
  }
  expect(problemWith(model, given)).toBeUndefined()
  const kept = givenState(given, undefined, start)
  expect(kept).toMatchObject({
    variables: { sensorCount: 12, rangeHigh: { decimal: 30 }, error: 0.7, resetMe: true, sensorId: '01' },
    timers: { idle: start + 90_000 },
    durations: { idle: 90 },
  })
  expect(toStateView(kept)).toEqual({
    stateName: 'start',
    variables: given.variables.with(5, { name: 'plain', value: '"not quoted"' }),
    timers: [{ name: 'idle', timestamp: start / 1000 + 90 }],
  })
})

test('a state that the model does not have, and a timer that is none, are refused', () => {
  expect(problemWith(model, { stateName: 'gone', variables: [], timers: [] })).toContain("no state 'gone'")
  expect(problemWith(model, { stateName: 'start', variables: [], timers: [{ name: 't', seconds: 0 }] })).toContain(
    "'t'",
  )
})
