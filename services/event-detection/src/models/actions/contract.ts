import { named, oneOf, type Static, Type } from '@icosa/contract'

export const Payload = named('Payload', {
  contentExpression: Type.String({ minLength: 1, maxLength: 8192 }),
  type: oneOf('STRING', 'JSON'),
})
export interface Payload extends Static<typeof Payload> {}

const payload = Type.Optional(Payload)
const text = Type.String({ minLength: 1, maxLength: 2048 })
const expression = Type.String({ minLength: 1, maxLength: 1024 })
const maybe = Type.Optional(expression)
const TimerName = Type.String({ minLength: 1, maxLength: 128 })

/** 366 days. */
export const maxTimerSeconds = 31_622_400

export const LambdaAction = named('LambdaAction', { functionArn: text, payload })

const IotSiteWiseAction = named('IotSiteWiseAction', {
  entryId: maybe,
  assetId: maybe,
  propertyId: maybe,
  propertyAlias: maybe,
  propertyValue: Type.Optional(
    named('AssetPropertyValue', {
      value: Type.Optional(
        named('AssetPropertyVariant', {
          stringValue: maybe,
          integerValue: maybe,
          doubleValue: maybe,
          booleanValue: maybe,
        }),
      ),
      timestamp: Type.Optional(named('AssetPropertyTimestamp', { timeInSeconds: expression, offsetInNanos: maybe })),
      quality: maybe,
    }),
  ),
})

/** Actions that create a delivery. */
const deliveries = {
  sns: Type.Optional(named('SNSTopicPublishAction', { targetArn: text, payload })),
  iotTopicPublish: Type.Optional(
    named('IotTopicPublishAction', { mqttTopic: Type.String({ minLength: 1, maxLength: 128 }), payload }),
  ),
  lambda: Type.Optional(LambdaAction),
  iotEvents: Type.Optional(
    named('IotEventsAction', { inputName: Type.String({ minLength: 1, maxLength: 128 }), payload }),
  ),
  sqs: Type.Optional(named('SqsAction', { queueUrl: text, useBase64: Type.Optional(Type.Boolean()), payload })),
  firehose: Type.Optional(
    named('FirehoseAction', {
      deliveryStreamName: text,
      separator: Type.Optional(Type.String({ pattern: '^(\\n|\\t|\\r\\n|,)$' })),
      payload,
    }),
  ),
  dynamoDB: Type.Optional(
    named('DynamoDBAction', {
      hashKeyType: maybe,
      hashKeyField: expression,
      hashKeyValue: expression,
      rangeKeyType: maybe,
      rangeKeyField: maybe,
      rangeKeyValue: maybe,
      operation: maybe,
      payloadField: maybe,
      tableName: expression,
      payload,
    }),
  ),
  dynamoDBv2: Type.Optional(named('DynamoDBv2Action', { tableName: expression, payload })),
  iotSiteWise: Type.Optional(IotSiteWiseAction),
}

export const AlarmAction = named('AlarmAction', deliveries)
export interface AlarmAction extends Static<typeof AlarmAction> {}

/** Exactly one field is set, which the checker verifies. */
export const Action = named('Action', {
  setVariable: Type.Optional(
    named('SetVariableAction', {
      variableName: Type.String({ minLength: 1, maxLength: 128, pattern: '^[a-zA-Z][a-zA-Z0-9_]*$' }),
      value: expression,
    }),
  ),
  setTimer: Type.Optional(
    named('SetTimerAction', {
      timerName: TimerName,
      seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: maxTimerSeconds })),
      durationExpression: maybe,
    }),
  ),
  clearTimer: Type.Optional(named('ClearTimerAction', { timerName: TimerName })),
  resetTimer: Type.Optional(named('ResetTimerAction', { timerName: TimerName })),
  ...deliveries,
})
export interface Action extends Static<typeof Action> {}

export type DeliveryKind = keyof AlarmAction
export const deliveryKinds = Object.keys(AlarmAction.properties) as readonly DeliveryKind[]
export const actionKinds = Object.keys(Action.properties) as readonly (keyof Action)[]
