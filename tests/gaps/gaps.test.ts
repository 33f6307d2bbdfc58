import * as backup from '@icosa/backup/contract'
import { client } from '@icosa/client'
import * as events from '@icosa/event-detection/contract'
import * as groups from '@icosa/resource-groups/contract'
import { credentialsFor, startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allServices, loadModules } from '../../apps/server/src/services.ts'

// The tables list the status that a caller gets. Each 501 is returned by its entry; the others are tested here.
const services = await allServices()
let app: TestApp
let key = ''
beforeAll(async () => {
  app = await startTestApp({ services })
  key = await app.key('ada')
})
afterAll(() => app[Symbol.asyncDispose]())

async function call(method: string, path: string, body?: object): Promise<number> {
  const { status } = await fetch(app.url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'X-Vendor-Api-Secret': key,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return status
}

const target = (name: string) => credentialsFor(app, services.find((service) => service.name === name) as never, 'ada')
const statusOf = (response: Promise<{ readonly status: number }>) =>
  response.then(
    ({ status }) => status,
    ({ status }: { readonly status: number }) => status,
  )

/** URL of a management service, with its API version. */
const at = (service: string, area: string, path: string, version: string) =>
  `/${service}/subscriptions/s/resourceGroups/g/providers/Vendor.${area}/${path}?api-version=${version}`
const store = (more = '') =>
  at('configuration-stores', 'AppConfiguration', `configurationStores/settings${more}`, '2019-11-01-preview')
const sql = (path: string) => at('sql-databases', 'Sql', `servers/eu/databases/orders${path}`, '2017-10-01-preview')
const service = 'service/braille-translation'

const tried: Readonly<Record<string, () => Promise<number>>> = {
  'api-diagnostics otherResources': () =>
    call('GET', at('api-diagnostics', 'ApiManagement', `${service}/apis/one/diagnostics`, '2019-12-01-preview')),
  'backup organizations': async () =>
    statusOf(client(backup.account, await target('backup')).DescribeGlobalSettings({})),
  'braille-translation xml': () => call('GET', '/braille-translation/translate/braille.xml?text=a'),
  'configuration-stores keyVaults': () =>
    call('PUT', store(), {
      location: 'here',
      sku: { name: 'Free' },
      properties: { encryption: { keyVaultProperties: { keyIdentifier: 'https://my.vault.example/keys/one' } } },
    }),
  'configuration-stores laterProperties': () =>
    call('PUT', store(), { location: 'here', sku: { name: 'Free' }, properties: { dataPlaneProxy: {} } }),
  'configuration-stores laterSkus': () => call('PUT', store(), { location: 'here', sku: { name: 'Premium' } }),
  'configuration-stores replicas': () => call('GET', store('/replicas')),
  'configuration-stores managedKeyValues': () => call('GET', store('/keyValues/color')),
  'contribution-collection chats': () =>
    call('POST', '/contribution-collection/subscriptions', {
      types: ['contribution-flagged'],
      includeBody: true,
      slackChannel: '#pictures',
    }),
  'event-detection assetInputs': async () => {
    const calls = client(events.alarmModels, await target('event-detection'))
    const inputProperty = '$sitewise.assetModel.`a`.`b`.propertyValue.value'
    const alarmRule = { simpleRule: { inputProperty, comparisonOperator: 'GREATER' as const, threshold: '1' } }
    return statusOf(calls.CreateAlarmModel({ body: { alarmModelName: 'hot', roleArn: 'any', alarmRule } }))
  },
  'event-detection assetRoutings': async () => {
    const calls = client(events.inputs, await target('event-detection'))
    const asset = { iotSiteWiseAssetModelPropertyIdentifier: { assetModelId: 'a', propertyId: 'b' } }
    return statusOf(calls.ListInputRoutings({ body: { inputIdentifier: { iotSiteWiseInputIdentifier: asset } } }))
  },
  'hardware-security-modules outboundDependencies': () =>
    call(
      'GET',
      at(
        'hardware-security-modules',
        'HardwareSecurityModules',
        'dedicatedHSMs/one/outboundNetworkDependenciesEndpoints',
        '2021-11-30',
      ),
    ),
  'job-scheduler stateDeleted': () =>
    call('PUT', at('job-scheduler', 'Scheduler', 'jobCollections/c', '2016-03-01'), {
      location: 'here',
      properties: { state: 'Deleted' },
    }),
  'resource-groups otherAccounts': async () => {
    const calls = client(groups.groups, await target('resource-groups'))
    const Group = 'arn:aws:resource-groups:us-east-1:999999999999:group/live'
    return statusOf(calls.GetGroup({ body: { Group } }))
  },
  'sql-databases otherResources': () => call('GET', sql('/replicationLinks')),
}

const triedElsewhere: readonly string[] = [
  'banking encryption', // tests/sdk/banking.test.ts
  'banking unknownPayees', // src/payments/payments.test.ts
  'banking accepts', // src/drafts/drafts.test.ts
  'banking amounts', // src/requests/requests.test.ts
  'configuration-stores description', // src/key-values/key-values.test.ts
  'contribution-collection ownActions', // src/contributions/contributions.test.ts
  'functions buildVariables', // src/functions/refusals.test.ts, with the next
  'functions otherEvents',
  'functions conditions', // src/policies/conditions.test.ts
  'functions otherMembers', // src/policies/policies.test.ts
  'job-scheduler oldCertificates', // src/secrets/certificate.test.ts
  'sql-databases deletedServer', // src/servers/servers.test.ts
  'sql-virtual-machines regroup', // src/machines/settings.test.ts
  'sql-virtual-machines deletedGroup', // src/machines/settings.test.ts
  'voice-messaging elements', // src/speech/ssml, with all below
  'voice-messaging sayAs',
  'voice-messaging sayAsLanguages',
  'voice-messaging phoneme',
  'voice-messaging languages', // src/messages/messages.test.ts
]

const lists = (
  await Promise.all(
    (
      await loadModules()
    ).map(async ({ name, module }) =>
      Object.entries((await module.gaps()).unsupported).map(
        ([entry, { answer }]) => [`${name} ${entry}`, answer] as const,
      ),
    ),
  )
).flat()
const answers: ReadonlyMap<string, unknown> = new Map(lists)

test('every status in the tables is tested', () => {
  const statuses = lists.filter(([, answer]) => typeof answer === 'number' && answer !== 501).map(([name]) => name)
  const others = Object.keys(tried).filter((name) => answers.get(name) !== 501) // and those that dialects refuse
  expect([...others, ...triedElsewhere].sort()).toEqual(statuses.sort())
})

test.each(Object.entries(tried))('%s is answered with the status in its table', async (name, ask) => {
  expect(await ask()).toBe(answers.get(name))
})
