import type { Gaps } from '@icosa/module'

export const unsupported = {
  assetInputs: {
    name: 'properties of assets as `inputProperty` of an alarm',
    answer: 400,
    instead: 'Send messages to an input.',
  },
  assetRoutings: {
    name: '`iotSiteWiseInputIdentifier` of ListInputRoutings',
    answer: 404,
    instead: 'Inputs are those of this service: use `iotEventsInputIdentifier`.',
  },
  roleArn: { name: '`roleArn`', answer: 'no effect', instead: 'It is kept and shown. No role is assumed.' },
  timestamp: {
    name: '`timestamp` of a message',
    answer: 'no effect',
    instead: "Times are those of arrival, by the platform's clock.",
  },
  actions: {
    name: '`sns`, `lambda`, `sqs`, `firehose`, `iotTopicPublish`, `iotSiteWise`, `dynamoDB`, `dynamoDBv2`',
    answer: 'differs',
    instead:
      'They are sent as requests or messages to the address that the operator gave the target. Without one they fail, and are listed by `GET /delivery-failures`. Nothing here writes to a table or an asset.',
  },
  notifications: {
    name: '`emailConfigurations` and `smsConfigurations`',
    answer: 'differs',
    instead:
      'They are passed to the function in `lambdaAction`. Nothing here sends mails or text messages, or looks up an `ssoIdentity`.',
  },
  acknowledgeFlow: {
    name: 'notifications of an alarm without `acknowledgeFlow`',
    answer: 'differs',
    instead: 'They are sent as well, although the guide can be read otherwise.',
  },
  logging: {
    name: 'logging options',
    answer: 'differs',
    instead: 'They say what the journal has, which `icosa events tail` shows. There is no log group.',
  },
  statusOfActions: {
    name: '202 for the five actions of people on alarms',
    answer: 'differs',
    instead: 'It is 200, with a list of errors, since they act at once.',
  },
  modelStates: {
    name: '`status` of a model: `ACTIVATING`, `FAILED`, `DRAFT`, `PAUSED`, `DEPRECATED`',
    answer: 'never',
    instead: 'A version is `ACTIVE` when it is created, and `INACTIVE` when there is a newer one.',
  },
  inputStates: {
    name: '`status` of an input: `CREATING`, `UPDATING`, `DELETING`',
    answer: 'never',
    instead: 'An input is `ACTIVE` as soon as it is there.',
  },
  analysisStates: {
    name: '`status` of an analysis: `RUNNING`, `FAILED`',
    answer: 'never',
    instead: 'An analysis is `COMPLETE` when it has begun.',
  },
} as const satisfies Gaps
