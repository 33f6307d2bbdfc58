import { describe, expect, test } from 'vitest'
import { compile } from './compile.ts'
import { evaluate } from './evaluate.ts'
import { definition, detector, event, set, start, state, timer, to } from './testing/models.ts'

const seconds = (number: number) => start + number * 1000

test('the first message enters the initial state, and then is an input to it', () => {
  const motor = detector(
    definition(
      state('Normal', {
        onEnter: [event('init', 'true', set('count', '0'))],
        transitions: [to('Dangerous', '$input.In.pressure > 70', set('count', '$variable.count + 3'))],
      }),
      state('Dangerous', { onEnter: [event('entered', '$variable.count == 3', set('seen', 'true'))] }),
    ),
  )
  const { state: after, transitions } = motor.receive({ pressure: 80 })
  expect(after).toMatchObject({ stateName: 'Dangerous', variables: { count: 3, seen: true } })
  expect(transitions).toEqual([
    { to: 'Normal', at: start, messageId: 'm1' },
    { from: 'Normal', to: 'Dangerous', eventName: 'to Dangerous', at: start, messageId: 'm1' },
  ])
})

describe('BATCH and SERIAL', () => {
  const counting = definition(
    state('A', {
      onEnter: [event('zero', 'true', set('n', '0'))],
      events: [
        event('add', 'true', set('n', '$variable.n + 1')),
        event('see', '$variable.n == 1', set('saw', '$variable.n')),
      ],
      transitions: [to('B', '$variable.n == 2')],
    }),
    state('B', {
      onEnter: [event('one', 'true', set('n', '10')), event('two', '$variable.n == 10', set('ten', 'true'))],
    }),
  )

  test('BATCH: conditions see the variables as before the message', () => {
    const counter = detector(counting)
    expect(counter.receive({}).state.variables).toEqual({ n: 1 })
    expect(counter.receive({}).state.variables).toEqual({ n: 2, saw: 2 })
    const { state: after } = counter.receive({})
    expect(after).toMatchObject({ stateName: 'B', variables: { n: 10, saw: 2 } })
  })

  test('SERIAL: each condition sees the effects of earlier events', () => {
    const counter = detector(counting, 'SERIAL')
    expect(counter.receive({}).state.variables).toEqual({ n: 1, saw: 1 })
    const { state: after } = counter.receive({})
    expect(after).toMatchObject({ stateName: 'B', variables: { n: 10, saw: 1, ten: true } })
  })

  test.each(['BATCH', 'SERIAL'] as const)('%s: events, transition, onExit, onEnter, in this order', (method) => {
    const log = (letter: string) => set('log', `$variable.log + '${letter}'`)
    const walker = detector(
      definition(
        state('A', {
          onEnter: [event('begin', 'true', set('log', "'s'"))],
          events: [event('e', 'true', log('e'))],
          transitions: [to('B', 'false', log('x')), to('B', 'true', log('t')), to('A', 'true', log('y'))],
          onExit: [event('out', 'true', log('o'))],
        }),
        state('B', { onEnter: [event('in', 'true', log('i'))], events: [event('not yet', 'true', log('z'))] }),
      ),
      method,
    )
    expect(walker.receive({}).state).toMatchObject({ stateName: 'B', variables: { log: 'setoi' } })
  })
})

test('a transition into the same state leaves and enters it', () => {
  const loop = detector(
    definition(
      state('A', {
        onEnter: [
          event('in', '$variable.n != $variable.n', set('n', '0')),
          event('again', '$variable.n >= 0', set('n', '$variable.n + 1')),
        ],
        transitions: [to('A', 'true')],
      }),
    ),
  )
  expect(loop.receive({}).state.variables).toEqual({ n: 1 })
  expect(loop.receive({}).state.variables).toEqual({ n: 2 })
})

describe('timers', () => {
  const heartbeat = definition(
    state('Online', {
      onEnter: [
        event('wait', 'true', { setTimer: { timerName: 'silence', durationExpression: '$input.In.every * 2.5' } }),
      ],
      events: [event('beat', 'triggerType("Message") && $input.In.beat', { resetTimer: { timerName: 'silence' } })],
      transitions: [to('Offline', 'timeout("silence")')],
    }),
    state('Offline', { transitions: [to('Online', 'currentInput("In")')] }),
  )

  test('are set in whole seconds, reset to their last duration, and removed when they fire', () => {
    const device = detector(heartbeat)
    expect(device.receive({ every: 25.5, beat: false }).state.timers).toEqual({ silence: seconds(63) })
    expect(device.receive({ every: 100, beat: true }, 10).state.timers).toEqual({ silence: seconds(73) })
    const { state: after, transitions } = device.fire('silence', 73)
    expect(after).toMatchObject({ stateName: 'Offline', timers: {}, elapsed: [] })
    expect(transitions).toEqual([
      { from: 'Online', to: 'Offline', eventName: 'to Offline', at: seconds(73), timerName: 'silence' },
    ])
  })

  test('do not fire early, twice, or after they are cleared', () => {
    const device = detector(heartbeat)
    device.receive({ every: 24, beat: false })
    expect(device.fire('silence', 59)).toEqual({ state: device.state, effects: [], transitions: [], errors: [] })
    device.fire('silence', 60)
    expect(device.fire('silence', 61).transitions).toEqual([])
    expect(device.fire('another', 61).transitions).toEqual([])
  })

  test('timeout() is true in the first evaluation that tests it, for all its uses, and false afterwards', () => {
    const patient = detector(
      definition(
        state('A', {
          onEnter: [event('set', 'true', timer('t', 60), set('x', '0'), set('y', '0'))],
          events: [
            event('first', '$input.In.ask && timeout("t")', set('x', '$variable.x + 1')),
            event('second', '$input.In.ask && timeout("t")', set('y', '$variable.y + 1')),
          ],
        }),
      ),
    )
    patient.receive({ ask: false })
    expect(patient.fire('t', 60).state).toMatchObject({ variables: { x: 0, y: 0 }, timers: {}, elapsed: ['t'] })
    expect(patient.receive({ ask: false }, 61).state.elapsed).toEqual(['t'])
    expect(patient.receive({ ask: true }, 62).state).toMatchObject({ variables: { x: 1, y: 1 }, elapsed: [] })
    expect(patient.receive({ ask: true }, 63).state).toMatchObject({ variables: { x: 1, y: 1 } })
  })

  test('an invalid timer duration is an error, and other actions are performed', () => {
    const setting = (durationExpression: string) =>
      detector(
        definition(
          state('A', {
            onEnter: [event('set', 'true', { setTimer: { timerName: 't', durationExpression } }, set('n', '1'))],
          }),
        ),
      ).receive({ seconds: 0.9 })
    for (const duration of ['$input.In.seconds', '31622401', "'60'", '$input.In.missing', 'true']) {
      const { state: after, errors } = setting(duration)
      expect(after).toMatchObject({ timers: {}, variables: { n: 1 } })
      expect(errors).toMatchObject([
        { path: 'states[0].onEnter.events[0].actions[0].setTimer.durationExpression', expression: duration },
      ])
    }
    expect(setting('$input.In.seconds + 60.2').state.timers).toEqual({ t: seconds(61) })
  })
})

test('values of other inputs, and of the last message when a timer fires, remain readable', () => {
  const both = detector(
    definition(
      state('A', {
        onEnter: [event('set', 'true', timer('t', 60))],
        events: [event('add', '$input.In.a + $input.Other.b > 0', set('sum', '$input.In.a + $input.Other.b'))],
        transitions: [to('B', 'timeout("t") && $input.In.a == 1')],
      }),
      state('B', {}),
    ),
  )
  const first = both.receive({ a: 1, unread: 'x'.repeat(1000) })
  expect(first.state.inputs).toEqual({ In: { a: 1 } })
  expect(first.errors).toMatchObject([
    { path: 'states[0].onInput.events[0].condition', message: expect.stringContaining('$input.Other.b') },
  ])
  expect(both.receive({ b: 2 }, 1, 'Other').state.variables).toEqual({ sum: 3 })
  expect(both.fire('t', 60).state.stateName).toBe('B')
})

test('undefined expressions count as false or are skipped, and are reported with their path', () => {
  const { state: after, errors } = detector(
    definition(
      state('A', {
        events: [
          event('number', '$input.In.n', set('a', '1')),
          event('kinds', '$input.In.n == "5"', set('a', '1')),
          event('bad actions', 'true', set('b', '1 / 0'), set('c', '$input.In.nothing'), set('d', '$input.In.n')),
        ],
      }),
    ),
  ).receive({ n: 5, nothing: null })
  expect(after.variables).toEqual({ d: 5 })
  expect(errors.map(({ path, message }) => [path, message])).toEqual([
    ['states[0].onInput.events[0].condition', 'a condition is true or false'],
    ['states[0].onInput.events[1].condition', "'==' does not take Integer and String"],
    ['states[0].onInput.events[2].actions[0].setVariable.value', 'division by zero'],
    ['states[0].onInput.events[2].actions[1].setVariable.value', 'a variable cannot be null'],
  ])
})

test('names of Object.prototype are ordinary names', () => {
  const odd = detector(
    definition(
      state('constructor', {
        events: [event('toString', '$variable.constructor != 1', set('constructor', '1'), timer('__proto__', 60))],
        transitions: [to('__proto__', '$variable.constructor == 1')],
      }),
      state('__proto__', { transitions: [to('constructor', 'timeout("__proto__")')] }),
    ),
  )
  expect(odd.receive({ toString: 1 }).state.variables).toEqual({ constructor: 1 })
  expect(Object.entries(odd.state?.timers ?? {})).toEqual([['__proto__', seconds(60)]])
  expect(odd.receive({}).state.stateName).toBe('__proto__')
  expect(odd.fire('__proto__', 60).state.stateName).toBe('constructor')
})

test('a detector in a state that no longer exists starts anew', () => {
  const modelWith = (name: string) =>
    compile({
      detectorModelName: 'tested',
      detectorModelVersion: '1',
      detectorModelDefinition: definition(state(name, { onEnter: [event('set', 'true', timer('t', 60))] })),
    })
  const message = { kind: 'message', inputName: 'In', payload: {}, messageId: 'm', at: start } as const
  const { state: old } = evaluate(modelWith('Old'), undefined, message)
  expect(evaluate(modelWith('New'), old, { ...message, at: seconds(1) })).toMatchObject({
    state: { stateName: 'New', timers: { t: seconds(61) } },
    transitions: [{ to: 'New' }],
  })
  expect(evaluate(modelWith('New'), old, { kind: 'timer', timerName: 't', at: seconds(60) })).toEqual({
    ...{ state: { ...old, timers: {} }, effects: [], transitions: [], errors: [] },
  })
})
