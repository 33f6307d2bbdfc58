import { type BackupCalls, IamRoleArn } from './backup-calls.ts'
import { until } from './statements.ts'

const group = '/subscriptions/mine/resourceGroups/shop/providers'
const store = `${group}/Vendor.AppConfiguration/configurationStores/settings`
const collection = `${group}/Vendor.Scheduler/jobCollections/jobs`

/** Statements about resources of services other than databases: each is backed up, deleted and restored. */
export async function otherServices(calls: BackupCalls, vaultName: string) {
  const { backUp, caller, call, holds, restore } = calls
  const configure = caller('configuration-stores')
  const schedule = caller('job-scheduler')
  const events = caller('event-detection')
  const faces = caller('face-recognition')
  const language = caller('language-authoring')
  const stores = (path = '') => `${store}${path}?api-version=2019-11-01-preview`
  await configure('PUT', stores(), { location: 'here', sku: { name: 'Standard' } })
  const color = '/stores/settings/kv/color?api-version=1.0'
  await until(async () => (await configure('PUT', color, { value: 'red' })).status === 200)
  const keysOf = async () => (await configure('POST', stores('/ListKeys'))).json.value[0].value
  const key = await keysOf()
  const jobs = (path = '') => `${collection}${path}?api-version=2016-03-01`
  await schedule('PUT', jobs(), { location: 'global' })
  const request = { uri: 'https://example.com/', method: 'GET', headers: { h: 'v' } }
  const properties = { startTime: '2100-01-01T00:00:00Z', action: { type: 'Https', request } }
  await schedule('PUT', jobs('/jobs/one'), { properties })
  const attributes = [{ jsonPath: 'id' }, { jsonPath: 't' }]
  const input = await events('POST', '/inputs', { inputName: 'Reading', inputDefinition: { attributes } })
  const rule = { inputProperty: '$input.Reading.t', comparisonOperator: 'GREATER', threshold: '10' }
  const alarm = { alarmModelName: 'hot', roleArn: IamRoleArn, key: 'id', severity: 3, alarmRule: { simpleRule: rule } }
  const { json: alarmed } = await events('POST', '/alarm-models', alarm)
  const warming = { eventName: 'e', condition: '$input.Reading.t > 10', nextState: 'hot' }
  const states = [{ stateName: 'cold', onInput: { transitionEvents: [warming] } }, { stateName: 'hot' }]
  const detectorModelDefinition = { initialStateName: 'cold', states }
  const detector = { detectorModelName: 'heat', roleArn: IamRoleArn, key: 'id', detectorModelDefinition }
  const { json: detecting } = await events('POST', '/detector-models', detector)
  await faces('PUT', '/persongroups/people', { name: 'n', userData: 'ud' })
  await faces('POST', '/persongroups/people/persons', { name: 'Ada' })
  const lists = ['facelists/list', 'largefacelists/large', 'largepersongroups/crowd']
  for (const path of lists) await faces('PUT', `/${path}`, { name: 'n', userData: 'ud' })
  const app = (await language('POST', '/apps/', { name: 'shop', culture: 'en-us' })).json
  await language('POST', `/apps/${app}/versions/0.1/intents`, { name: 'Order' })

  const faceOf = (kind: string, path: string) =>
    [
      `/face-recognition/${kind}/${path.split('/')[1]}`,
      () => faces('DELETE', `/${path}`),
      async () => (await faces('GET', `/${path}`)).json?.userData === 'ud',
    ] as const
  // Dependents first, since they are deleted in this order.
  const resources = {
    'a configuration store, with its keys': [
      store,
      () => configure('DELETE', stores()),
      async () => (await configure('GET', color)).json?.value === 'red' && (await keysOf()) === key,
    ],
    'a job collection': [
      collection,
      () => schedule('DELETE', jobs()),
      async () => (await schedule('GET', jobs('/jobs/one'))).json?.properties?.action?.request?.headers?.h === 'v',
    ],
    'an alarm model': [
      alarmed.alarmModelArn,
      () => events('DELETE', '/alarm-models/hot'),
      async () => (await events('GET', '/alarm-models/hot')).json?.severity === 3,
    ],
    'a detector model': [
      detecting.detectorModelConfiguration.detectorModelArn,
      () => events('DELETE', '/detector-models/heat'),
      async () => (await events('GET', '/detector-models/heat')).text.includes(warming.condition),
    ],
    'a person group': [
      '/face-recognition/personGroups/people',
      () => faces('DELETE', '/persongroups/people'),
      async () => (await faces('GET', '/persongroups/people/persons')).json?.[0]?.name === 'Ada',
    ],
    'a face list': faceOf('faceLists', 'facelists/list'),
    'a large face list': faceOf('largeFaceLists', 'largefacelists/large'),
    'a large person group': faceOf('largePersonGroups', 'largepersongroups/crowd'),
    'an app': [
      `/language-authoring/apps/${app}`,
      () => language('DELETE', `/apps/${app}?force=true`),
      async () => (await language('GET', `/apps/${app}/versions/0.1/intents`)).text.includes('"Order"'),
    ],
    'an input': [
      input.json.inputConfiguration.inputArn,
      async () => {
        await events('DELETE', '/alarm-models/hot')
        await events('DELETE', '/detector-models/heat')
        return events('DELETE', '/inputs/Reading')
      },
      async () => (await events('GET', '/inputs/Reading')).json?.input?.inputDefinition?.attributes?.length === 2,
    ],
  } as const
  for (const [what, [id, remove, isThere]] of Object.entries(resources)) {
    const job = await backUp(vaultName, id)
    holds(`${what} is backed up`, job?.State === 'COMPLETED' && (await isThere()), job)
    await remove()
    const isGone = await until(async () => !(await isThere()))
    const created = await restore(job?.RecoveryPointArn)
    const isBack = await until(isThere)
    holds(`${what} that was deleted is restored as it was`, isGone && created.Status === 'COMPLETED' && isBack, created)
  }
  const again = await calls.start(vaultName, collection)
  const stopped = await call('POST', `/backup-jobs/${again.json.BackupJobId}`)
  const end = await calls.ended(`/backup-jobs/${again.json.BackupJobId}`)
  const isStopped = stopped.status === 200 ? end?.State === 'ABORTED' : end?.State === 'COMPLETED'
  holds('a job is stopped, unless it has ended', isStopped, [stopped.text, end])
}
