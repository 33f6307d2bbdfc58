import { named, oneOf, type Static, Type } from '@icosa/contract'
import { AlarmAction, LambdaAction } from '../actions/contract.ts'

const property = Type.String({ minLength: 1, maxLength: 512 })
const text = Type.Optional(Type.String({ maxLength: 2048 }))

export const ComparisonOperator = oneOf('GREATER', 'GREATER_OR_EQUAL', 'LESS', 'LESS_OR_EQUAL', 'EQUAL', 'NOT_EQUAL')
export type ComparisonOperator = Static<typeof ComparisonOperator>

export const AlarmRule = named('AlarmRule', {
  simpleRule: Type.Optional(
    named('SimpleRule', { inputProperty: property, comparisonOperator: ComparisonOperator, threshold: property }),
  ),
})

const SsoIdentity = named('SSOIdentity', {
  identityStoreId: Type.String({ maxLength: 256 }),
  userId: Type.Optional(Type.String({ maxLength: 256 })),
})
const Recipients = Type.Array(named('RecipientDetail', { ssoIdentity: Type.Optional(SsoIdentity) }), {
  minItems: 1,
  maxItems: 50,
})
const SmsConfiguration = named('SMSConfiguration', {
  senderId: text,
  additionalMessage: text,
  recipients: Recipients,
})
const EmailConfiguration = named('EmailConfiguration', {
  from: Type.String({ minLength: 1, maxLength: 320 }),
  content: Type.Optional(named('EmailContent', { subject: text, additionalMessage: text })),
  recipients: named('EmailRecipients', { to: Type.Optional(Recipients) }),
})

export const NotificationAction = named('NotificationAction', {
  action: named('NotificationTargetActions', { lambdaAction: Type.Optional(LambdaAction) }),
  smsConfigurations: Type.Optional(Type.Array(SmsConfiguration, { minItems: 1, maxItems: 50 })),
  emailConfigurations: Type.Optional(Type.Array(EmailConfiguration, { minItems: 1, maxItems: 50 })),
})
export interface NotificationAction extends Static<typeof NotificationAction> {}

export const alarmModelFields = {
  severity: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  alarmRule: AlarmRule,
  alarmNotification: Type.Optional(
    named('AlarmNotification', {
      notificationActions: Type.Optional(Type.Array(NotificationAction, { minItems: 1, maxItems: 100 })),
    }),
  ),
  alarmEventActions: Type.Optional(
    named('AlarmEventActions', { alarmActions: Type.Optional(Type.Array(AlarmAction, { maxItems: 100 })) }),
  ),
  alarmCapabilities: Type.Optional(
    named('AlarmCapabilities', {
      initializationConfiguration: Type.Optional(
        named('InitializationConfiguration', { disabledOnInitialization: Type.Boolean() }),
      ),
      acknowledgeFlow: Type.Optional(named('AcknowledgeFlow', { enabled: Type.Boolean() })),
    }),
  ),
}
const AlarmModelDefinition = Type.Object(alarmModelFields)
export interface AlarmModelDefinition extends Static<typeof AlarmModelDefinition> {}
