import { expect, test } from 'vitest'
import { compile } from './compile.ts'
import { problemWith, stateFromInput, toStateView } from './state.ts'
import { definition, start, state } from './testing/models.ts'

const model = compile({
  detectorModelName: 'tested',
  detectorModelVersion: '1',
  detectorModelDefinition: definition(state('start', {})),
})

test('a state set by a client reads back as written, and triggers no event', () => {
  const input = {
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
  expect(problemWith(model, input)).toBeUndefined()
  const detectorState = stateFromInput(input, undefined, start)
  expect(detectorState).toMatchObject({
    variables: { sensorCount: 12, rangeHigh: { decimal: 30 }, error: 0.7, resetMe: true, sensorId: '01' },
    timers: { idle: start + 90_000 },
    durations: { idle: 90 },
  })
  expect(toStateView(detectorState)).toEqual({
    stateName: 'start',
    variables: input.variables.with(5, { name: 'plain', value: '"not quoted"' }),
    timers: [{ name: 'idle', timestamp: start / 1000 + 90 }],
  })
})

test('unknown states and invalid timers are refused', () => {
  expect(problemWith(model, { stateName: 'missing', variables: [], timers: [] })).toContain("no state 'missing'")
  expect(problemWith(model, { stateName: 'start', variables: [], timers: [{ name: 't', seconds: 0 }] })).toContain(
    "'t'",
  )
})
