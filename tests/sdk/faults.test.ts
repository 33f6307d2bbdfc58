import * as aws from '@aws-sdk/client-backup'
import { AppConfigurationClient } from '@azure/app-configuration'
import { AppConfigurationManagementClient } from '@azure/arm-appconfiguration'
import { FaceClient } from '@azure/cognitiveservices-face'
import { ApiKeyCredentials } from '@azure/ms-rest-js'
import { v2 } from '@google-cloud/functions'
import { configurationStores } from '@icosa/configuration-stores'
import { type FaultRequest, type Faults, openFaults } from '@icosa/faults'
import type { Service } from '@icosa/kernel'
import { testServerUrl } from '@icosa/testing'
import * as robotics from 'first-events-api'
import { OAuth2Client } from 'google-auth-library'
import { Client as PodcastClient } from 'podcast-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allServices } from '../../apps/server/src/services.ts'
import { type SdkPlatform, startSdkPlatform } from './support.ts'

// Unmodified official clients meet each fault once: those with documented retries retry, the others report the error.
const wanted = ['backup', 'face-recognition', 'functions', 'podcast-directory', 'robotics-statistics']
const others = (await allServices({ databaseUrl: testServerUrl })).filter(({ name }) => wanted.includes(name))
let platform: SdkPlatform
let faults: Faults
let services: readonly Service[] = []
let key = ''
const calls: Record<string, () => Promise<unknown>> = {}

beforeAll(async () => {
  faults = openFaults(() => services)
  platform = await startSdkPlatform(
    (url) => {
      services = [...others, configurationStores({ endpoint: `${url}/configuration-stores/stores/{name}` })]
      return services
    },
    { faultInjector: (name) => faults.injector(name) },
  )
  const { app, at, url, credential, tenant } = platform
  key = await app.key(tenant)

  const { id, secret } = await app.signingSecret(tenant)
  const signing = { region: 'us-east-1', credentials: { accessKeyId: id, secretAccessKey: secret } }
  const signed = new aws.Backup({ endpoint: at('http'), ...signing })
  calls.signed = () => signed.listBackupVaults({})

  const management = new AppConfigurationManagementClient(credential, 'a-subscription', {
    endpoint: `${url}/configuration-stores`,
  })
  calls.arm = () => Array.fromAsync(management.configurationStores.list())
  await management.configurationStores.beginCreateAndWait('sdk', 'sdk-store', {
    location: 'westus',
    sku: { name: 'Standard' },
  })
  const [first] = await Array.fromAsync(management.configurationStores.listKeys('sdk', 'sdk-store'))
  const settings = new AppConfigurationClient(first?.connectionString ?? '')
  await settings.setConfigurationSetting({ key: 'colour', value: 'blue' })
  calls.settings = () => settings.getConfigurationSetting({ key: 'colour' })

  const inHeader = { 'Ocp-Apim-Subscription-Key': key }
  const face = new FaceClient(new ApiKeyCredentials({ inHeader }), at('http'))
  calls.keyed = () => face.personGroup.list()

  const podcasts = PodcastClient({ apiKey: key })
  podcasts.httpClient.defaults.baseURL = `${at('http')}/podcast-directory`
  calls.podcasts = () => podcasts.fetchPodcastGenres({})

  const authClient = new OAuth2Client()
  authClient.setCredentials({ access_token: key })
  const { hostname, port } = new URL(at('http'))
  const google = new v2.FunctionServiceClient({
    ...{ apiEndpoint: hostname, port: Number(port), protocol: 'http', fallback: true, authClient, projectId: 'shop' },
  } as never) // its types lack `protocol`, which its own tests use
  const parent = 'projects/shop/locations/europe-north1'
  calls.google = () => google.generateUploadUrl({ parent })
  const backoffSettings = {
    ...{ initialRetryDelayMillis: 50, retryDelayMultiplier: 1.3, maxRetryDelayMillis: 500, totalTimeoutMillis: 60_000 },
    ...{ initialRpcTimeoutMillis: 20_000, rpcTimeoutMultiplier: 1, maxRpcTimeoutMillis: 20_000 },
  }
  // Over HTTP its errors have HTTP status codes.
  calls['google, told to'] = () =>
    google.generateUploadUrl({ parent }, { retry: { retryCodes: [429, 503], backoffSettings } } as never)

  const { default: open, axios } = robotics as unknown as {
    default: (options: object) => { season: { getSummary(): Promise<unknown> } }
    axios: { defaults: { baseURL: string } }
  }
  const season = open({ username: tenant, auth: key, season: 2026 }).season
  axios.defaults.baseURL = `${at('http')}/robotics-statistics/v3.0`
  calls.basic = () => season.getSummary()
})
afterAll(() => platform[Symbol.asyncDispose]())

type Kind = FaultRequest['kind']
const everything: readonly Kind[] = ['error', 'throttle', 'drop', 'dropReply']

/** Faults that a client retries according to its documentation. `slow`: it waits half a minute first. */
const clients: readonly {
  client: string
  sdk: string
  target: string
  retries: readonly Kind[]
  slow?: readonly Kind[]
}[] = [
  { client: 'signed', sdk: '@aws-sdk/client-backup', target: 'backup:ListBackupVaults', retries: everything },
  { client: 'arm', sdk: '@azure/arm-appconfiguration', target: 'configuration-stores:*', retries: everything },
  { client: 'settings', sdk: '@azure/app-configuration', target: 'configuration-stores:*', retries: everything },
  {
    client: 'keyed',
    sdk: '@azure/cognitiveservices-face',
    target: 'face-recognition:*',
    retries: ['error', 'drop', 'dropReply'],
    slow: ['error', 'drop', 'dropReply'],
  },
  { client: 'podcasts', sdk: 'podcast-api', target: 'podcast-directory:*', retries: [] },
  { client: 'google', sdk: '@google-cloud/functions', target: 'functions:*', retries: [] },
  { client: 'google, told to', sdk: '@google-cloud/functions', target: 'functions:*', retries: ['error', 'throttle'] },
  { client: 'basic', sdk: 'first-events-api', target: 'robotics-statistics:*', retries: [] },
]

describe.each(clients)('$client: $sdk', ({ client, target, retries, slow = [] }) => {
  const kinds = everything.filter((kind) => process.env.NIGHTLY || !slow.includes(kind))

  test.each(kinds)('%s is retried if the client documents it', async (kind) => {
    faults.clear()
    faults.add({ target, kind, times: 1, retryAfterSeconds: 1 })
    const outcome = await calls[client]?.().then(
      () => 'answered',
      (error: Error) => `refused: ${error.message}`,
    )
    const [fault] = faults.list()
    expect(fault?.hit, 'the fault was injected').toBe(1)
    expect(outcome).toMatch(retries.includes(kind) ? /^answered$/ : /^refused/)
  })

  test('latency delays the client', async () => {
    faults.clear()
    faults.add({ target, kind: 'latency', delayMs: 200, times: 1 })
    const began = performance.now()
    await calls[client]?.().catch(() => {}) // some request missing resources
    expect(performance.now() - began).toBeGreaterThan(190)
    expect(faults.list()[0]).toMatchObject({ hit: 1 })
    faults.clear()
  })
})
