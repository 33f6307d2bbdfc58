import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, type FunctionsApp, place, startFunctions, type Tenant } from '../testing/app.ts'

let app: FunctionsApp
let acme: Tenant
let storageSource: { readonly bucket: string; readonly object: string }
beforeAll(async () => {
  app = await startFunctions()
  acme = await app.tenant()
  ;({ storageSource } = (await acme.generateUploadUrl({ params: place, body: {} })).body)
})
afterAll(() => app[Symbol.asyncDispose]())

type Json = Readonly<Record<string, unknown>>

interface FunctionFields {
  readonly buildConfig?: Json
  readonly serviceConfig?: Json
  readonly eventTrigger?: Json
  readonly [field: string]: unknown
}

/** Untyped, so that any body can be sent. */
async function create(
  functionId: string,
  { buildConfig, ...rest }: FunctionFields = {},
): Promise<{ status: number; body: Json }> {
  const build = { runtime: 'nodejs24', entryPoint: 'hello', source: { storageSource }, ...buildConfig }
  const response = await fetch(
    `${app.url}/v2/projects/shop/locations/europe-north1/functions?functionId=${functionId}`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ buildConfig: build, ...rest }),
    },
  )
  return { status: response.status, body: (await response.json()) as Json }
}

const builds: [Json, string][] = [
  [{ source: { repoSource: { repoName: 'r' } } }, 'repoSource'],
  [{ source: { gitUri: 'https://example.com/r.git' } }, 'gitUri'],
  [{ dockerRegistry: 'CONTAINER_REGISTRY' }, 'dockerRegistry'],
  [{ dockerRepository: 'projects/p/locations/l/repositories/r' }, 'dockerRepository'],
]

test.each<[FunctionFields, string]>([
  [{ environment: 'GEN_1' }, 'GEN_1'],
  [{ environment: 1 }, 'GEN_1'],
  ...builds.map(([buildConfig, name]): [FunctionFields, string] => [{ buildConfig }, name]),
])('unsupported fields are refused by name: %j', async (fields, name) => {
  const { status, body } = await create('refused', fields)
  expect(body).toMatchObject({ error: { code: 501, status: 'UNIMPLEMENTED', message: expect.stringContaining(name) } })
  expect(status).toBe(501)
})

test.each([
  'setupFunctionUpgradeConfig',
  'redirectFunctionUpgradeTraffic',
  'rollbackFunctionUpgradeTraffic',
  'commitFunctionUpgrade',
  'abortFunctionUpgrade',
])('%s is refused as unsupported', async (verb) => {
  expect((await create(`to-${verb.toLowerCase()}`)).status).toBe(200)
  const ask = async (name: string) => {
    const response = await fetch(`${app.url}/v2/projects/shop/locations/europe-north1/functions/${name}:${verb}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/json' },
      body: '{}',
    })
    return (await response.json()) as Json
  }
  const error = { code: 501, status: 'UNIMPLEMENTED', message: expect.stringContaining(verb) }
  expect(await ask(`to-${verb.toLowerCase()}`)).toMatchObject({ error })
  expect(await ask('missing')).toMatchObject({ error: { code: 404 } })
})

const published = 'google.cloud.pubsub.topic.v1.messagePublished'
const orders = { eventType: published, pubsubTopic: 'projects/shop/topics/orders' }

test.each<[FunctionFields, string]>([
  [{ buildConfig: { runtime: 'cobol1' } }, 'nodejs24'],
  [{ buildConfig: { entryPoint: 'a b' } }, 'entryPoint'],
  [{ buildConfig: { source: undefined } }, 'generateUploadUrl'],
  [{ buildConfig: { source: { storageSource: { bucket: 'b', object: 'o' } } } }, 'generateUploadUrl'],
  [{ serviceConfig: { availableMemory: '1M' } }, 'availableMemory'],
  [{ serviceConfig: { availableMemory: 'lots' } }, 'availableMemory'],
  [{ serviceConfig: { availableCpu: '100' } }, 'availableCpu'],
  [{ serviceConfig: { availableCpu: '0.5', maxInstanceRequestConcurrency: 2 } }, 'availableCpu'],
  [{ serviceConfig: { minInstanceCount: 2, maxInstanceCount: 1 } }, 'minInstanceCount'],
  [{ serviceConfig: { environmentVariables: { PORT: '1' } } }, 'PORT'],
  [{ serviceConfig: { environmentVariables: { 'a-b': '1' } } }, 'a-b'],
  [{ serviceConfig: { timeoutSeconds: 3601 } }, 'timeoutSeconds'],
  [{ serviceConfig: { vpcConnector: 'projects/p/locations/l/connectors/c' } }, "connectors/c' is not an egress policy"],
  [{ serviceConfig: { vpcConnectorEgressSettings: 'ALL_TRAFFIC' } }, 'vpcConnector'],
  [{ serviceConfig: { secretVolumes: [{ mountPath: '/usr/x', secret: 's' }] } }, "'/usr/x' cannot be"],
  [{ serviceConfig: { secretVolumes: [{ mountPath: '/a/../b', secret: 's' }] } }, 'mountPath'],
  [
    {
      serviceConfig: { secretVolumes: [{ mountPath: '/a', secret: 's', versions: [{ version: '1', path: '../x' }] }] },
    },
    "'../x'",
  ],
  [{ serviceConfig: { serviceAccountEmail: 'a@b' } }, "'a@b' is not a service account"],
  [{ serviceConfig: { serviceAccountEmail: 'a@shop.iam.gserviceaccount.com' } }, 'is not a service account'],
  [{ serviceConfig: { secretEnvironmentVariables: [{ key: 'A', secret: 's', version: 'x' }] } }, 'latest'],
  [{ labels: { UPPER: 'case' } }, 'UPPER'],
  [{ name: 'projects/other/locations/europe-north1/functions/refused' }, 'name'],
  [{ eventTrigger: { pubsubTopic: 'projects/shop/topics/orders' } }, 'eventType'],
  [{ eventTrigger: { eventType: published } }, 'pubsubTopic'],
  [{ eventTrigger: { ...orders, serviceAccountEmail: 'a@b' } }, "'a@b' is not a service account"],
  [{ eventTrigger: { eventType: published, pubsubTopic: 'orders' } }, 'pubsubTopic'],
  [
    { eventTrigger: { ...orders, eventFilters: [{ attribute: 'size', value: 'xl' }] } },
    'filter by id, source, time, type, topic',
  ],
  [
    { eventTrigger: { ...orders, eventFilters: [{ attribute: 'a', value: 'c', operator: 'like' }] } },
    'match-path-pattern',
  ],
  [{ eventTrigger: { eventType: 'e', channel: 'c' } }, 'locations/here/channels'],
  [
    { eventTrigger: { eventType: published, channel: 'projects/shop/locations/here/channels/orders' } },
    'not published to a channel',
  ],
  [{ kmsKeyName: 'k' }, 'cryptoKeys/KEY'],
  [{ buildConfig: { workerPool: 'projects/p/locations/l/workerPools/w' } }, 'the operator has defined none'],
  [{ buildConfig: { environmentVariables: { A: 'b' } } }, 'environmentVariables'],
  [{ eventTrigger: { eventType: 'google.cloud.storage.object.v1.finalized' } }, published],
  [{ misspelt: true }, 'misspelt'],
])('invalid fields are refused by name: %j', async (fields, name) => {
  const { status, body } = await create('refused', fields)
  expect(body).toMatchObject({
    error: { code: 400, status: 'INVALID_ARGUMENT', message: expect.stringContaining(name) },
  })
  expect(status).toBe(400)
})

test.each(['abc', 'UPPER', 'ends-', '1digit', 'a'.repeat(64)])('%s is not a valid function id', async (id) => {
  expect((await create(id)).body).toMatchObject({ error: { message: expect.stringContaining('functionId') } })
})

test('empty and UNSPECIFIED values mean the default', async () => {
  const fields = {
    name: '',
    kmsKeyName: '',
    environment: 'ENVIRONMENT_UNSPECIFIED',
    buildConfig: {
      dockerRegistry: 'DOCKER_REGISTRY_UNSPECIFIED',
      dockerRepository: '',
      workerPool: '',
      entryPoint: '',
      environmentVariables: {},
    },
    serviceConfig: {
      availableCpu: '',
      ingressSettings: 'INGRESS_SETTINGS_UNSPECIFIED',
      securityLevel: 0,
      serviceAccountEmail: '',
      vpcConnector: '',
      vpcConnectorEgressSettings: 'VPC_CONNECTOR_EGRESS_SETTINGS_UNSPECIFIED',
      maxInstanceCount: 0,
      timeoutSeconds: 0,
    },
    eventTrigger: {
      eventType: 'google.cloud.pubsub.topic.v1.messagePublished',
      pubsubTopic: 'projects/shop/topics/orders',
      channel: '',
      retryPolicy: 'RETRY_POLICY_UNSPECIFIED',
    },
  }
  expect((await create('defaults', fields)).status).toBe(200)
  expect((await acme.getFunction({ params: at('defaults') })).body).toMatchObject({
    environment: 'GEN_2',
    buildConfig: { entryPoint: 'helloWorld' },
    serviceConfig: {
      availableCpu: '0.1666',
      ingressSettings: 'ALLOW_ALL',
      securityLevel: 'SECURE_OPTIONAL',
      maxInstanceCount: 100,
      timeoutSeconds: 60,
    },
    eventTrigger: { retryPolicy: 'RETRY_POLICY_DO_NOT_RETRY' },
  })
})
