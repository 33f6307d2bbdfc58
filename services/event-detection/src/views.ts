import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Messages',
  resources: {
    ListInputs: {
      title: 'Inputs',
      type: 'AWS::IoTEvents::Input',
      about: 'An input receives messages and declares the attributes that detectors read.',
      columns: ['inputName', 'status', 'inputDescription', 'creationTime'],
      example: {
        inputName: 'temperature',
        inputDefinition: { attributes: [{ jsonPath: 'sensor' }, { jsonPath: 'celsius' }] },
      },
    },
    ListDetectorModels: {
      title: 'Detector models',
      type: 'AWS::IoTEvents::DetectorModel',
      about: 'A detector model is a state machine driven by messages.',
      columns: ['detectorModelName', 'detectorModelDescription', 'creationTime'],
      example: {
        detectorModelName: 'heating',
        roleArn: 'arn:aws:iam::123456789012:role/any',
        detectorModelDefinition: { initialStateName: 'normal', states: [{ stateName: 'normal' }] },
      },
      panels: [
        {
          title: 'Diagram',
          operation: 'DescribeDetectorModel',
          also: { operation: 'ListDetectors' },
          show: {
            as: 'machine',
            states: 'detectorModel.detectorModelDefinition.states',
            name: 'stateName',
            transitions: 'onInput.transitionEvents',
            to: 'nextState',
            when: 'condition',
            initial: 'detectorModel.detectorModelDefinition.initialStateName',
            live: 'also:detectorSummaries',
            state: 'state.stateName',
          },
        },
      ],
    },
    ListDetectorModelVersions: {
      title: 'Versions',
      about: 'Versions of this model.',
      columns: ['detectorModelVersion', 'status', 'evaluationMethod', 'creationTime'],
    },
    ListDetectors: {
      title: 'Detectors',
      about: 'A detector is an instance of this model for one key, such as a device.',
      columns: ['keyValue', 'state.stateName', 'detectorModelVersion', 'lastUpdateTime'],
      state: 'state.stateName',
      panels: [
        {
          title: 'Variables',
          operation: 'DescribeDetector',
          fields: { keyValue: 'keyValue' },
          show: { as: 'table', rows: 'detector.state.variables' },
        },
        {
          title: 'Timers',
          operation: 'DescribeDetector',
          fields: { keyValue: 'keyValue' },
          show: { as: 'table', rows: 'detector.state.timers' },
          columns: ['name', 'time:timestamp'],
        },
      ],
    },
    ListAlarmModels: {
      title: 'Alarm models',
      type: 'AWS::IoTEvents::AlarmModel',
      about: 'An alarm model compares a value with a threshold.',
      columns: ['alarmModelName', 'alarmModelDescription', 'creationTime'],
      example: {
        alarmModelName: 'too-hot',
        roleArn: 'arn:aws:iam::123456789012:role/any',
        alarmRule: {
          simpleRule: { inputProperty: '$input.temperature.celsius', comparisonOperator: 'GREATER', threshold: '30' },
        },
      },
    },
    ListAlarmModelVersions: {
      title: 'Versions',
      about: 'Versions of this model.',
      columns: ['alarmModelVersion', 'status', 'statusMessage', 'creationTime'],
    },
    ListAlarms: {
      title: 'Alarms',
      about: 'An alarm is an instance of this model for one key, such as a device.',
      columns: ['keyValue', 'stateName', 'alarmModelVersion', 'lastUpdateTime'],
      state: 'stateName',
      panels: [
        {
          title: 'State',
          operation: 'DescribeAlarm',
          fields: { keyValue: 'keyValue' },
          show: { as: 'tree', root: 'alarm' },
        },
      ],
    },
    ListDeliveryFailures: {
      title: 'Delivery failures',
      about: 'Actions that could not be delivered.',
      columns: ['modelName', 'action', 'target', 'reason', 'attempts', 'time'],
    },
  },
  others: ['GetDetectorModelAnalysisResults', 'ListTagsForResource'],
}
