import type { Gaps } from '@icosa/module'

export const unsupported = {
  assetInputs: {
    name: 'asset properties as `inputProperty` of an alarm',
    answer: 400,
    instead: 'Send messages to an input.',
  },
  assetRoutings: {
    name: '`iotSiteWiseInputIdentifier` of ListInputRoutings',
    answer: 404,
    instead: 'Only inputs of this service: use `iotEventsInputIdentifier`.',
  },
  roleArn: { name: '`roleArn`', answer: 'no effect', instead: 'Stored and returned. No role is assumed.' },
  timestamp: {
    name: '`timestamp` of a message',
    answer: 'no effect',
    instead: "The time of arrival is used, by the platform's clock.",
  },
  actions: {
    name: '`sns`, `lambda`, `sqs`, `firehose`, `iotTopicPublish`, `iotSiteWise`, `dynamoDB`, `dynamoDBv2`',
    answer: 'differs',
    instead:
      'Sent as requests or messages to the address configured for the target. Without one they fail, and are listed by `GET /delivery-failures`. Nothing is written to tables or assets.',
  },
  notifications: {
    name: '`emailConfigurations` and `smsConfigurations`',
    answer: 'differs',
    instead:
      'Passed to the function in `lambdaAction`. No mails or text messages are sent, and `ssoIdentity` is not looked up.',
  },
  acknowledgeFlow: {
    name: 'notifications of an alarm without `acknowledgeFlow`',
    answer: 'differs',
    instead: 'Sent as well, although the guide is ambiguous.',
  },
  logging: {
    name: 'logging options',
    answer: 'differs',
    instead: 'They control the content of the journal, which `icosa events tail` shows. There is no log group.',
  },
  statusOfActions: {
    name: '202 for the five user actions on alarms',
    answer: 'differs',
    instead: 'They return 200 with a list of errors, since they take effect immediately.',
  },
  modelStates: {
    name: '`status` of a model: `ACTIVATING`, `FAILED`, `DRAFT`, `PAUSED`, `DEPRECATED`',
    answer: 'never',
    instead: 'A version is `ACTIVE` on creation, and `INACTIVE` once there is a newer one.',
  },
  inputStates: {
    name: '`status` of an input: `CREATING`, `UPDATING`, `DELETING`',
    answer: 'never',
    instead: 'An input is `ACTIVE` on creation.',
  },
  analysisStates: {
    name: '`status` of an analysis: `RUNNING`, `FAILED`',
    answer: 'never',
    instead: 'An analysis is `COMPLETE` when started.',
  },
} as const satisfies Gaps
