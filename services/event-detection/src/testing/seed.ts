import type { Seed } from '@icosa/testing'
import { callsOf, message } from './app.ts'
import { createSwing, hotAlarm, swing } from './models.ts'

/** Creates an input, a model of each kind with an instance, and an analysis. */
export const seed: Seed = async (owner, app) => {
  const calls = callsOf(owner)
  await createSwing(calls)
  await calls.CreateAlarmModel({ body: hotAlarm })
  await calls.BatchPutMessage({ body: { messages: [message('m', 'Reading', { sensor: 'a', value: 40 })] } })
  await app.jobs.drain()
  const { input } = (await calls.DescribeInput({ params: { inputName: 'Reading' } })).body
  const query = { resourceArn: input.inputConfiguration.inputArn }
  await calls.TagResource({ query, body: { tags: [{ key: 'team', value: 'blue' }] } })
  const { detectorModelDefinition } = swing
  const { body } = await calls.StartDetectorModelAnalysis({ body: { detectorModelDefinition } })
  return { inputName: 'Reading', detectorModelName: 'swing', alarmModelName: 'hot', analysisId: body.analysisId }
}
