import { named, oneOf, type Properties, type Static, Type } from '@icosa/contract'
import { ComparisonOperator } from '../models/alarm-models/contract.ts'
import { api, entryError, Id, KeyValue, ModelName, nextToken, pageQuery, Time } from '../shapes/contract.ts'

const Note = Type.Optional(Type.String({ maxLength: 256 }))
const addressFields = { requestId: Id, alarmModelName: ModelName, keyValue: Type.Optional(KeyValue), note: Note }
/** A snooze takes up to 366 days, like a timer. */
const SnoozeDuration = Type.Integer({ minimum: 1, maximum: 31_622_400 })

const StateName = oneOf('DISABLED', 'NORMAL', 'ACTIVE', 'ACKNOWLEDGED', 'SNOOZE_DISABLED', 'LATCHED')

const withNote = (title: string, more: Properties = {}) => Type.Optional(named(title, { note: Note, ...more }))
const AlarmState = named('AlarmState', {
  stateName: StateName,
  ruleEvaluation: Type.Optional(
    named('RuleEvaluation', {
      simpleRuleEvaluation: named('SimpleRuleEvaluation', {
        inputPropertyValue: Type.String(),
        operator: ComparisonOperator,
        thresholdValue: Type.String(),
      }),
    }),
  ),
  customerAction: Type.Optional(
    named('CustomerAction', {
      actionName: oneOf('SNOOZE', 'ENABLE', 'DISABLE', 'ACKNOWLEDGE', 'RESET'),
      snoozeActionConfiguration: withNote('SnoozeActionConfiguration', { snoozeDuration: SnoozeDuration }),
      enableActionConfiguration: withNote('EnableActionConfiguration'),
      disableActionConfiguration: withNote('DisableActionConfiguration'),
      acknowledgeActionConfiguration: withNote('AcknowledgeActionConfiguration'),
      resetActionConfiguration: withNote('ResetActionConfiguration'),
    }),
  ),
  systemEvent: Type.Optional(
    named('SystemEvent', {
      eventType: oneOf('STATE_CHANGE'),
      stateChangeConfiguration: named('StateChangeConfiguration', { triggerType: oneOf('SNOOZE_TIMEOUT') }),
    }),
  ),
})

const common = {
  alarmModelName: Type.String(),
  alarmModelVersion: Type.String(),
  keyValue: Type.Optional(Type.String()),
  creationTime: Time,
  lastUpdateTime: Time,
}
const Alarm = named('Alarm', { ...common, alarmState: AlarmState, severity: Type.Optional(Type.Integer()) })
export interface Alarm extends Static<typeof Alarm> {}
const AlarmSummary = named('AlarmSummary', { ...common, stateName: StateName })
export interface AlarmSummary extends Static<typeof AlarmSummary> {}

const ErrorEntry = named('BatchAlarmActionErrorEntry', { requestId: Type.Optional(Type.String()), ...entryError })
export interface AlarmActionError extends Static<typeof ErrorEntry> {}
const batchReply = (title: string) => ({ 200: named(title, { errorEntries: Type.Array(ErrorEntry) }) })

const requests = <P extends Properties>(title: string, more: P) =>
  Type.Array(named(title, { ...addressFields, ...more }), { minItems: 1, maxItems: 100 })
const noFields = {}

export const alarms = {
  BatchAcknowledgeAlarm: api.post('/alarms/acknowledge', {
    summary: 'Acknowledge alarms. Their state becomes ACKNOWLEDGED.',
    body: named('BatchAcknowledgeAlarmRequest', {
      acknowledgeActionRequests: requests('AcknowledgeAlarmActionRequest', noFields),
    }),
    replies: batchReply('BatchAcknowledgeAlarmResponse'),
  }),
  BatchDisableAlarm: api.post('/alarms/disable', {
    summary: 'Disable alarms. Their state becomes DISABLED, and they ignore data.',
    body: named('BatchDisableAlarmRequest', { disableActionRequests: requests('DisableAlarmActionRequest', noFields) }),
    replies: batchReply('BatchDisableAlarmResponse'),
  }),
  BatchEnableAlarm: api.post('/alarms/enable', {
    summary: 'Enable alarms. Their state becomes NORMAL.',
    body: named('BatchEnableAlarmRequest', { enableActionRequests: requests('EnableAlarmActionRequest', noFields) }),
    replies: batchReply('BatchEnableAlarmResponse'),
  }),
  BatchResetAlarm: api.post('/alarms/reset', {
    summary: 'Reset alarms. Their state becomes NORMAL.',
    body: named('BatchResetAlarmRequest', { resetActionRequests: requests('ResetAlarmActionRequest', noFields) }),
    replies: batchReply('BatchResetAlarmResponse'),
  }),
  BatchSnoozeAlarm: api.post('/alarms/snooze', {
    summary: 'Snooze alarms. Their state becomes SNOOZE_DISABLED, and NORMAL when the snooze ends.',
    body: named('BatchSnoozeAlarmRequest', {
      snoozeActionRequests: requests('SnoozeAlarmActionRequest', { snoozeDuration: SnoozeDuration }),
    }),
    replies: batchReply('BatchSnoozeAlarmResponse'),
  }),
  DescribeAlarm: api.get('/alarms/{alarmModelName}/keyValues/', {
    summary: 'Read an alarm.',
    query: Type.Object({ keyValue: Type.Optional(KeyValue) }),
    replies: { 200: named('DescribeAlarmResponse', { alarm: Alarm }) },
  }),
  ListAlarms: api.get('/alarms/{alarmModelName}', {
    summary: 'List the alarms of a model.',
    query: Type.Object(pageQuery),
    replies: { 200: named('ListAlarmsResponse', { alarmSummaries: Type.Array(AlarmSummary), nextToken }) },
  }),
}
