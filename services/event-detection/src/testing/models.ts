import type { CreateAlarmModelRequest } from '../alarm-models/contract.ts'
import type { CreateDetectorModelRequest } from '../detector-models/contract.ts'
import type { Calls } from './app.ts'
import { roleArn } from './app.ts'

const attributes = (...paths: string[]) => ({ attributes: paths.map((jsonPath) => ({ jsonPath })) })

export const readingInput = { inputName: 'Reading', inputDefinition: attributes('sensor', 'value', 'place.floor') }

/** Counts the messages of a sensor and switches between two states with each. */
export const swing: CreateDetectorModelRequest = {
  detectorModelName: 'swing',
  key: 'sensor',
  roleArn,
  detectorModelDefinition: {
    initialStateName: 'Left',
    states: ['Left', 'Right'].map((stateName) => ({
      stateName,
      ...(stateName === 'Left' && {
        onEnter: {
          events: [
            {
              eventName: 'begin',
              condition: '$variable.count != $variable.count',
              actions: [{ setVariable: { variableName: 'count', value: '0' } }],
            },
          ],
        },
      }),
      onInput: {
        transitionEvents: [
          {
            eventName: 'swung',
            condition: 'currentInput("Reading")',
            nextState: stateName === 'Left' ? 'Right' : 'Left',
            actions: [
              { setVariable: { variableName: 'count', value: '$variable.count + 1' } },
              { setVariable: { variableName: 'last', value: '$input.Reading.value' } },
            ],
          },
        ],
      },
    })),
  },
}

export const hotAlarm: CreateAlarmModelRequest = {
  alarmModelName: 'hot',
  key: 'sensor',
  roleArn,
  severity: 3,
  alarmRule: {
    simpleRule: { inputProperty: '$input.Reading.value', comparisonOperator: 'GREATER', threshold: '30' },
  },
  alarmCapabilities: {
    initializationConfiguration: { disabledOnInitialization: false },
    acknowledgeFlow: { enabled: true },
  },
}

export async function createSwing(calls: Calls): Promise<void> {
  await calls.CreateInput({ body: readingInput })
  await calls.CreateDetectorModel({ body: swing })
}

type Actions = NonNullable<
  NonNullable<
    NonNullable<CreateDetectorModelRequest['detectorModelDefinition']['states'][0]['onInput']>['events']
  >[0]['actions']
>

/** Performs actions on every message. */
export const doing = (detectorModelName: string, actions: Actions): CreateDetectorModelRequest => ({
  detectorModelName,
  key: 'sensor',
  roleArn,
  detectorModelDefinition: {
    initialStateName: 'Only',
    states: [
      {
        stateName: 'Only',
        onInput: { events: [{ eventName: 'said', condition: '$input.Reading.value >= 0', actions }] },
      },
    ],
  },
})

/** Counts the messages of a sensor and rarely changes its state. */
export const steady: CreateDetectorModelRequest = {
  detectorModelName: 'steady',
  key: 'sensor',
  roleArn,
  detectorModelDefinition: {
    initialStateName: 'Normal',
    states: ['Normal', 'High'].map((stateName) => ({
      stateName,
      onInput: {
        events: [
          {
            eventName: 'begin',
            condition: '$variable.count != $variable.count',
            actions: [{ setVariable: { variableName: 'count', value: '0' } }],
          },
          {
            eventName: 'count',
            condition: '$variable.count == $variable.count',
            actions: [
              { setVariable: { variableName: 'count', value: '$variable.count + 1' } },
              { setVariable: { variableName: 'last', value: '$input.Reading.value' } },
            ],
          },
        ],
        transitionEvents: [
          {
            eventName: 'crossed',
            condition: stateName === 'Normal' ? '$input.Reading.value > 98' : '$input.Reading.value <= 98',
            nextState: stateName === 'Normal' ? 'High' : 'Normal',
            actions: [],
          },
        ],
      },
    })),
  },
}
