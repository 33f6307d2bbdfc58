import type { DetectorModelDefinition } from '@aws-sdk/client-iot-events'

export const roleArn = 'arn:aws:iam::123456789012:role/events'
export const pressure = {
  inputName: 'Pressure',
  inputDefinition: { attributes: [{ jsonPath: 'motor' }, { jsonPath: 'sensor.pressure' }] },
}

/** Calm until the pressure passes 70. */
export const motor: DetectorModelDefinition = {
  initialStateName: 'Calm',
  states: [
    {
      stateName: 'Calm',
      onInput: {
        events: [
          {
            eventName: 'remember',
            condition: 'true',
            actions: [{ setVariable: { variableName: 'last', value: '$input.Pressure.sensor.pressure' } }],
          },
        ],
        transitionEvents: [
          { eventName: 'rise', condition: '$input.Pressure.sensor.pressure > 70', nextState: 'Dangerous' },
        ],
      },
    },
    {
      stateName: 'Dangerous',
      onEnter: {
        events: [
          {
            eventName: 'wait',
            condition: 'true',
            actions: [{ setTimer: { timerName: 'cool', durationExpression: '120' } }],
          },
        ],
      },
      onInput: {
        transitionEvents: [{ eventName: 'fall', condition: 'timeout("cool")', nextState: 'Calm' }],
      },
    },
  ],
}
export const hot = {
  alarmRule: {
    simpleRule: {
      inputProperty: '$input.Pressure.sensor.pressure',
      comparisonOperator: 'GREATER' as const,
      threshold: '90',
    },
  },
  alarmCapabilities: {
    initializationConfiguration: { disabledOnInitialization: false },
    acknowledgeFlow: { enabled: true },
  },
}

export const message = (messageId: string, keyed: string, pressure: unknown, inputName = 'Pressure') => ({
  messageId,
  inputName,
  payload: new TextEncoder().encode(JSON.stringify({ motor: keyed, sensor: { pressure } })),
})
