import { statementsOf, until } from './statements.ts'

const roleArn = 'arn:aws:iam::123456789012:role/any'
const detectorModelDefinition = {
  initialStateName: 'cold',
  states: [
    {
      stateName: 'cold',
      onInput: { transitionEvents: [{ eventName: 'e', condition: '$input.Reading.t > 10', nextState: 'hot' }] },
    },
    { stateName: 'hot' },
  ],
}
const alarmRule = {
  simpleRule: { inputProperty: '$input.Reading.t', comparisonOperator: 'GREATER', threshold: '10' },
}
const alarmCapabilities = {
  initializationConfiguration: { disabledOnInitialization: false },
  acknowledgeFlow: { enabled: true },
}
const message = (id: string, t: number, inputName = 'Reading') => ({
  messageId: `m-${id}`,
  inputName,
  payload: Buffer.from(JSON.stringify({ id, t })).toString('base64'),
})
const actions = [
  ['acknowledge', {}, 'ACKNOWLEDGED'],
  ['disable', {}, 'DISABLED'],
  ['enable', {}, 'NORMAL'],
  ['snooze', { snoozeDuration: 60 }, 'SNOOZE_DISABLED'],
  ['reset', {}, 'NORMAL'],
] as const

statementsOf('T', ['event-detection'], async ({ caller, holds }) => {
  const call = caller('event-detection')
  const post = (path: string, json: object) => call('POST', path, json)
  const attributes = [{ jsonPath: 'id' }, { jsonPath: 't' }]
  await post('/inputs', { inputName: 'Reading', inputDefinition: { attributes } })
  await post('/detector-models', { detectorModelName: 'heat', roleArn, key: 'id', detectorModelDefinition })
  const alarm = { alarmModelName: 'hot', roleArn, key: 'id', severity: 3, alarmRule, alarmCapabilities }
  await post('/alarm-models', alarm)

  const sent = await call('POST', '/inputs/messages', { messages: [message('k1', 20), message('k2', 1, 'none')] })
  holds('a message of a batch fails alone', sent.json.BatchPutMessageErrorEntries?.length === 1, sent.text)
  const detectorAt = '/detectors/heat/keyValues/?keyValue=k1'
  const detector = await until(async () => {
    const { json } = await call('GET', detectorAt)
    return json.detector?.state?.stateName === 'hot' && json.detector
  })
  const { state, detectorModelVersion, creationTime, lastUpdateTime } = detector ?? {}
  const isWhole = detectorModelVersion && creationTime && lastUpdateTime && Array.isArray(state.timers)
  holds('a detector reaches its state, with its fields', isWhole && Array.isArray(state.variables), detector)
  const alarmAt = '/alarms/hot/keyValues/?keyValue=k1'
  const raised = await until(async () => {
    const { json } = await call('GET', alarmAt)
    return json.alarm?.alarmState?.stateName === 'ACTIVE' && json.alarm
  })
  const isEvaluated = raised?.alarmState.ruleEvaluation?.simpleRuleEvaluation && raised.alarmModelVersion
  holds('an alarm is active, with its fields', isEvaluated && raised.severity === 3 && raised.creationTime, raised)

  for (const [name, extra, next] of actions) {
    const request = { requestId: 'r', alarmModelName: 'hot', keyValue: 'k1', note: 'n', ...extra }
    const acted = await call('POST', `/alarms/${name}`, { [`${name}ActionRequests`]: [request] })
    const { alarmState } = (await call('GET', alarmAt)).json.alarm
    const isTold = acted.status < 300 && alarmState.customerAction?.actionName
    holds(`${name} makes an alarm ${next}`, isTold && alarmState.stateName === next, [acted.text, alarmState])
  }
  const missing = { requestId: 'r', alarmModelName: 'hot', keyValue: 'none' }
  const refused = await call('POST', '/alarms/reset', { resetActionRequests: [missing] })
  holds('an alarm that is not there is an error entry', refused.json.errorEntries?.length === 1, refused.text)

  const of = { messageId: 'm', detectorModelName: 'heat', keyValue: 'k1' }
  const to = { stateName: 'cold', variables: [{ name: 'v', value: '1' }], timers: [] }
  const updated = await call('POST', '/detectors', { detectors: [{ ...of, state: to }] })
  const cold = await call('GET', '/detectors/heat?stateName=cold&maxResults=5')
  const removed = await call('POST', '/detectors/delete', { detectors: [of] })
  const areChanged =
    updated.json.batchUpdateDetectorErrorEntries.length + removed.json.batchDeleteDetectorErrorEntries.length === 0
  const isGone = (await call('GET', detectorAt)).status === 404
  holds(
    'detectors are set, listed by state and deleted',
    areChanged && cold.json.detectorSummaries.length === 1 && isGone,
    cold.text,
  )
  const summaries = await call('GET', '/alarms/hot?maxResults=1')
  holds('alarms are listed', summaries.json.alarmSummaries.length === 1, summaries.text)
})
