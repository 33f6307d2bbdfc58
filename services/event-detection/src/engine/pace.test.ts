import { expect, test } from 'vitest'
import { compile } from './compile.ts'
import { evaluate } from './evaluate.ts'
import { definition, event, set, state, to } from './testing/models.ts'
import type { DetectorState } from './types.ts'

const pressure = '$input.In.sensorData.pressure'
const source = {
  detectorModelName: 'motor',
  detectorModelVersion: '1',
  detectorModelDefinition: definition(
    state('Normal', {
      onEnter: [event('begin', 'true', set('toGo', '0'))],
      transitions: [to('Dangerous', `${pressure} > 70`, set('toGo', '$variable.toGo + 3'))],
    }),
    state('Dangerous', {
      events: [
        event('high', `${pressure} > 70`, set('toGo', '3')),
        event('fine', `${pressure} <= 70`, set('toGo', '$variable.toGo - 1')),
      ],
      transitions: [to('Normal', `${pressure} <= 70 && $variable.toGo <= 1`)],
    }),
  ),
}

function perSecond(times: number, work: (round: number) => void): number {
  const begin = performance.now()
  for (let round = 0; round < times; round++) work(round)
  return (times / (performance.now() - begin)) * 1000
}

test('evaluating a compiled model is much faster than compiling it', () => {
  const model = compile(source)
  let detector: DetectorState | undefined
  const evaluateOnce = (round: number) => {
    const payload = { motorid: 'A', sensorData: { pressure: 40 + ((round * 7) % 50), temperature: 39 } }
    detector = evaluate(model, detector, { kind: 'message', inputName: 'In', payload, messageId: 'm', at: round }).state
  }
  perSecond(20_000, evaluateOnce)
  const evaluations = perSecond(200_000, evaluateOnce)
  const compilations = perSecond(2_000, () => compile(source))
  console.log(`${Math.round(evaluations)} evaluations/s; compiling the model ${Math.round(compilations)} times/s`)
  expect(evaluations / compilations).toBeGreaterThan(10)
})
