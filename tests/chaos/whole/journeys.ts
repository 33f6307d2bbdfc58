import { verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Database, sql } from '@icosa/kernel'
import { readingInput, swing } from '../../../services/event-detection/src/testing/models.ts'
import { photosOf } from '../../../services/face-recognition/src/testing/photos.ts'
import { zip } from '../../../services/functions/src/build/zip.ts'
import { generatedApp } from '../../../services/language-authoring/src/testing/documents.ts'
import { insertSynthetic } from '../../../services/podcast-directory/src/testing/synthetic-store.ts'
import { connectTo } from '../../../services/sql-virtual-machines/src/testing/tenant.ts'
import { type Callers, until } from './callers.ts'
import type { Cell } from './cell.ts'

/** A use case of one service that is repeated, and its audit: nothing acknowledged may be lost or doubled. */
export interface Journey {
  readonly service: string
  /** Milliseconds between two units of work. */
  readonly pauseMs: number
  prepare?(): Promise<void>
  /** One unit of work. Repeated with the same number until it resolves, which acknowledges it. */
  work(number: number): Promise<void>
  /** Returns which acknowledged numbers are lost or doubled, once all work has ended. */
  audit?(acknowledged: readonly number[], attempts: number): Promise<string[]>
}

export interface World {
  readonly cell: Cell
  readonly callers: Callers
  readonly database: Database
  readonly tenant: string
}

const arm = '/subscriptions/mine/resourceGroups/web/providers'
const role = { IamRoleArn: 'arn:aws:iam::123456789012:role/any' }
const existing = [409] // created by an attempt whose response was lost

/** The numbers that a list of names such as `thing-17` lacks. */
const lacking = (acknowledged: readonly number[], names: Iterable<string>) => {
  const present = new Set([...names].map((name) => Number(/\d+$/.exec(name)?.[0])))
  return acknowledged.filter((number) => !present.has(number)).map((number) => `${number} is lost`)
}
/** Numbers that occur more than once. */
const doubled = (numbers: readonly (number | string)[]) =>
  numbers.filter((number, index) => numbers.indexOf(number) !== index).map((number) => `${number} is there twice`)

export function journeysOf({ cell, callers, database, tenant }: World): Journey[] {
  const { plain } = callers
  const [backup, events, groups, voice] = ['backup', 'iotevents', 'resource-groups', 'sms-voice'].map((name) =>
    callers.signed(name),
  ) as [typeof plain, typeof plain, typeof plain, typeof plain]
  const stateOf = async (path: string, state: string) => {
    const { body } = await plain('GET', path)
    return body.properties?.provisioningState === state || body.properties?.status === state
  }

  const store = (name: string) => `/configuration-stores${arm}/Vendor.AppConfiguration/configurationStores/${name}`
  const storeVersion = 'api-version=2019-11-01-preview'
  const configurationStores: Journey = {
    service: 'configuration-stores',
    pauseMs: 500,
    async prepare() {
      await plain('PUT', `${store('settings')}?${storeVersion}`, {
        body: { location: 'here', sku: { name: 'Standard' } },
      })
      await until(() => stateOf(`${store('settings')}?${storeVersion}`, 'Succeeded'))
    },
    async work(number) {
      const at = `/configuration-stores/stores/settings/kv/key-${number}?api-version=1.0`
      await plain('PUT', at, { body: { value: `value ${number}` } })
    },
    async audit(acknowledged) {
      const lost: string[] = []
      for (const number of acknowledged) {
        const at = `/configuration-stores/stores/settings/kv/key-${number}?api-version=1.0`
        const { body } = await plain('GET', at, { accept: [404] })
        if (body.value !== `value ${number}`) lost.push(`key ${number} is ${JSON.stringify(body)}`)
      }
      return lost
    },
  }

  const diagnostic = (name: string) =>
    `/api-diagnostics${arm}/Vendor.ApiManagement/service/braille-translation/diagnostics/${name}?api-version=2019-12-01-preview`
  const apiDiagnostics: Journey = {
    service: 'api-diagnostics',
    pauseMs: 1_000,
    async work(number) {
      await plain('PUT', diagnostic(`local-${number % 5}`), {
        body: { properties: { loggerId: 'node', alwaysLog: 'allErrors' } },
      })
    },
  }

  let user = ''
  const accounts: string[] = []
  let iban = ''
  const banking: Journey = {
    service: 'banking',
    pauseMs: 50,
    async prepare() {
      await plain('POST', '/banking/v1/sandbox-user-person')
      const { body } = await plain('GET', '/banking/user')
      user = body.Response[0].UserPerson.id
      const account = `/banking/user/${user}/monetary-account`
      await plain('POST', `${account}-bank`, { body: { currency: 'EUR', description: 'savings' } })
      const { body: list } = await plain('GET', `${account}-bank`)
      for (const { MonetaryAccountBank: one } of list.Response) accounts.push(String(one.id))
      const money = { value: '500.00', currency: 'EUR' }
      const from = { type: 'EMAIL', value: 'sugardaddy@vendor.example' }
      await plain('POST', `${account}/${accounts[0]}/request-inquiry`, {
        body: { amount_inquired: money, description: 'Please', counterparty_alias: from },
      })
      const { body: second } = await plain('GET', `${account}-bank/${accounts[1]}`)
      iban = second.Response[0].MonetaryAccountBank.alias[0].value
    },
    async work(number) {
      await plain('POST', `/banking/user/${user}/monetary-account/${accounts[0]}/payment`, {
        headers: { 'x-vendor-client-request-id': `payment ${number}` },
        body: {
          amount: { value: '0.01', currency: 'EUR' },
          counterparty_alias: { type: 'IBAN', value: iban, name: 'savings' },
          description: `payment ${number}`,
        },
      })
    },
    async audit(acknowledged) {
      const rows = await database.many<{ description: string; amount: string }>(sql`
        select description, amount from banking.payments where tenant = ${tenant} and description like 'payment %'`)
      const paid = rows.filter(({ amount }) => Number(amount) < 0).map(({ description }) => description)
      const { reconcile } = await import('../../../services/banking/src/ledger/store.ts')
      const { sum, balanceMismatches, overdrawn, holdMismatches } = await reconcile(database, tenant)
      const balanced = sum === 0n && [balanceMismatches, overdrawn, holdMismatches].flat().length === 0
      return [...lacking(acknowledged, paid), ...doubled(paid), ...(balanced ? [] : ['the ledger does not reconcile'])]
    },
  }

  const braille: Journey = {
    service: 'braille-translation',
    pauseMs: 500,
    async work(number) {
      const { body } = await plain('GET', `/braille-translation/translate/braille/unicode?text=Hello+${number}`)
      if (body.contents.translated.length < 7) throw new Error(`braille said ${JSON.stringify(body)}`)
    },
  }

  const picture = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
  let assignment = ''
  const contributions: Journey = {
    service: 'contribution-collection',
    pauseMs: 1_000,
    async prepare() {
      const { body } = await plain('POST', '/contribution-collection/assignments', {
        body: { name: 'Snow', callToAction: 'Send your snow pictures' },
      })
      assignment = body.id
    },
    async work(number) {
      const { body: media } = await plain('POST', '/contribution-collection/media', {
        body: picture,
        headers: { 'content-type': 'application/octet-stream' },
      })
      await plain('POST', '/contribution-collection/contributions', {
        body: {
          assignment: { id: assignment },
          headline: `Snow ${number}`,
          mediaUsages: [{ media: { id: media.id } }],
        },
      })
      if (number % 10 !== 0) return
      const { body: begun } = await plain('POST', '/contribution-collection/export?format=original&combined=true')
      await until(async () => (await plain('GET', `/contribution-collection/exports/${begun.id}`)).body.downloadUrl)
    },
    async audit(acknowledged) {
      const rows = await database.many<{ document: string }>(sql`
        select to_jsonb(c)::text as document from contribution_collection.contributions c where tenant = ${tenant}`)
      return lacking(
        acknowledged,
        rows.flatMap(({ document }) => /Snow \d+/.exec(document) ?? []),
      )
    },
  }

  const messagesOf = (number: number) => ({
    messages: [
      {
        messageId: `m-${number}`,
        inputName: 'Reading',
        payload: Buffer.from(JSON.stringify({ sensor: 'attic', value: number })).toString('base64'),
      },
    ],
  })
  const eventDetection: Journey = {
    service: 'event-detection',
    pauseMs: 250,
    async prepare() {
      await events('POST', '/event-detection/inputs', { body: readingInput })
      await events('POST', '/event-detection/detector-models', { body: swing })
    },
    async work(number) {
      const { body } = await events('POST', '/event-detection/inputs/messages', { body: messagesOf(number) })
      if (body.BatchPutMessageErrorEntries?.length) throw new Error(JSON.stringify(body))
    },
    async audit(acknowledged, attempts) {
      const counted = async () => {
        const { body } = await events('GET', '/event-detection/detectors/swing/keyValues/?keyValue=attic')
        const count = body.detector.state.variables.find(({ name }: { name: string }) => name === 'count')
        return Number(count?.value ?? 0)
      }
      await until(async () => (await counted()) >= acknowledged.length, 120_000).catch(() => {})
      const count = await counted()
      const isRight = count >= acknowledged.length && count <= attempts
      return isRight ? [] : [`${count} messages counted, ${acknowledged.length} acknowledged, ${attempts} sent`]
    },
  }

  const faces: Journey = {
    service: 'face-recognition',
    pauseMs: 3_000,
    async prepare() {
      await plain('PUT', '/face-recognition/persongroups/team', { body: { name: 'team' }, accept: existing })
      const { body } = await plain('POST', '/face-recognition/persongroups/team/persons', { body: { name: 'ada' } })
      await plain('POST', `/face-recognition/persongroups/team/persons/${body.personId}/persistedfaces`, {
        body: photosOf(0)[0],
        headers: { 'content-type': 'application/octet-stream' },
      })
    },
    async work() {
      await plain('POST', '/face-recognition/persongroups/team/train', { accept: existing })
      const training = '/face-recognition/persongroups/team/training'
      await until(async () => (await plain('GET', training)).body.status === 'succeeded')
      const { body } = await plain('POST', '/face-recognition/detect', {
        body: photosOf(0)[1],
        headers: { 'content-type': 'application/octet-stream' },
      })
      if (body.length !== 1) throw new Error(`detect said ${JSON.stringify(body)}`)
    },
  }

  const functionsAt = '/functions/v2/projects/mine/locations/here/functions'
  let address = ''
  const functions: Journey = {
    service: 'functions',
    pauseMs: 500,
    async prepare() {
      const { body: upload } = await plain('POST', `${functionsAt}:generateUploadUrl`, { body: {} })
      const source = zip([
        { path: 'index.js', content: 'exports.echo = (request, response) => response.send(request.query.n)' },
      ])
      await plain('PUT', new URL(upload.uploadUrl).pathname + new URL(upload.uploadUrl).search, {
        body: source,
        headers: { 'content-type': 'application/zip' },
      })
      const buildConfig = { runtime: 'nodejs24', entryPoint: 'echo', source: { storageSource: upload.storageSource } }
      await plain('POST', `${functionsAt}?functionId=echo`, { body: { buildConfig }, accept: existing })
      const created = await until(async () => {
        const { body } = await plain('GET', `${functionsAt}/echo`)
        if (body.state === 'FAILED') throw new Error(JSON.stringify(body))
        return body.state === 'ACTIVE' && body
      }, 180_000)
      address = new URL(created.serviceConfig.uri).pathname
    },
    async work(number) {
      const { body } = await plain('GET', `${address}?n=${number}`)
      if (body !== number) throw new Error(`echo said ${JSON.stringify(body)}`)
    },
  }

  const module_ = `/hardware-security-modules${arm}/Vendor.HardwareSecurityModules/dedicatedHSMs/vault-1?api-version=2018-10-31-preview`
  let keys = ''
  const modules: Journey = {
    service: 'hardware-security-modules',
    pauseMs: 2_000,
    async prepare() {
      const sku = { name: 'SafeNet Luna Network HSM A790' }
      await plain('PUT', module_, { body: { location: 'here', sku, properties: {} } })
      await until(() => stateOf(module_, 'Succeeded'))
      const { body } = await plain('GET', module_)
      keys = `${new URL(/"endpoint":"([^"]*)"/.exec(JSON.stringify(body))?.[1] ?? '').pathname}/keys`
      await plain('PUT', `${keys}/release`, { body: { type: 'EC', curve: 'P-256' } })
    },
    async work(number) {
      const value = Buffer.from(`release ${number}`).toString('base64')
      const { body } = await plain('POST', `${keys}/release/sign`, { body: { algorithm: 'ES256', value } })
      const { body: key } = await plain('GET', `${keys}/release`)
      const signature = Buffer.from(body.signature, 'base64')
      const isRight = verify('sha256', Buffer.from(`release ${number}`), key.publicKey, signature)
      if (!isRight) throw new Error('the signature is wrong')
    },
  }

  const clients: string[] = []
  const identity: Journey = {
    service: 'identity-connect',
    pauseMs: 2_000, // a tenant has at most 1,000 clients
    async work(number) {
      const { body } = await plain('POST', '/identity-connect/client', {
        body: { client_name: `Notes ${number}`, redirect_uris: ['https://app.example/callback'] },
      })
      clients.push(body.client_id)
    },
    async audit() {
      const lost: string[] = []
      for (const id of clients) {
        const { status } = await plain('GET', `/identity-connect/client/${id}`, { accept: [404] })
        if (status !== 200) lost.push(`client ${id} is lost`)
      }
      return lost
    },
  }

  const collection = `/job-scheduler${arm}/Vendor.Scheduler/jobCollections/c`
  const jobScheduler: Journey = {
    service: 'job-scheduler',
    pauseMs: 2_500, // fewer than the 1,000 jobs of a collection
    async prepare() {
      await plain('PUT', `${collection}?api-version=2016-03-01`, {
        body: { location: 'global', properties: { sku: { name: 'P20Premium' } } },
      })
    },
    async work(number) {
      const queueMessage = { storageAccount: 'shop', queueName: 'orders', message: `order ${number}` }
      await plain('PUT', `${collection}/jobs/once-${number}?api-version=2016-03-01`, {
        body: { properties: { action: { type: 'StorageQueue', queueMessage } } },
      })
    },
    async audit(acknowledged) {
      const executed = () =>
        database.many<{ name: string; times: number }>(sql`
          select j.name, (select count(distinct execution_id)::int from job_scheduler.history h
            where h.tenant = j.tenant and h.job_id = j.id and h.status <> 'Postponed') as times
          from job_scheduler.jobs j where j.tenant = ${tenant}`)
      await until(async () => (await executed()).every(({ times }) => times > 0), 120_000).catch(() => {})
      const rows = await executed()
      return [
        ...lacking(
          acknowledged,
          rows.filter(({ times }) => times > 0).map(({ name }) => name),
        ),
        ...rows.filter(({ times }) => times > 1).map(({ name, times }) => `${name} ran ${times} times`),
      ]
    },
  }

  let app = ''
  const language: Journey = {
    service: 'language-authoring',
    pauseMs: 4_000,
    async prepare() {
      const document = generatedApp(1)
      const { body } = await plain('POST', '/language-authoring/apps/import?appName=Travel', { body: document })
      app = `/language-authoring/apps/${body}`
    },
    async work() {
      await plain('POST', `${app}/versions/0.1/train`)
      await until(async () => {
        const { body } = await plain('GET', `${app}/versions/0.1/train`)
        return body.every(({ details }: { details: { statusId: number } }) => [0, 2].includes(details.statusId))
      })
      await plain('POST', `${app}/publish`, { body: { versionId: '0.1' } })
      const predict = app.replace('/apps', '/prediction/apps')
      const query = { query: 'fly to Oslo' }
      const { body } = await plain('POST', `${predict}/slots/production/predict`, { body: query })
      if (!body.prediction?.topIntent) throw new Error(`predict said ${JSON.stringify(body)}`)
    },
  }

  const podcasts: Journey = {
    service: 'podcast-directory',
    pauseMs: 1_000,
    async prepare() {
      const options = { podcasts: 50, episodes: 500, seed: 7, until: new Date() }
      await database.transaction((db) => insertSynthetic(db, tenant, options as never, new Date()))
    },
    async work() {
      const { body } = await plain('GET', '/podcast-directory/search?q=the&type=podcast')
      if (!Array.isArray(body.results)) throw new Error(`search said ${JSON.stringify(body)}`)
    },
  }

  const resourceGroups: Journey = {
    service: 'resource-groups',
    pauseMs: 2_500, // fewer than the 1,000 groups of a tenant
    async work(number) {
      const ResourceQuery = {
        Type: 'TAG_FILTERS_1_0',
        Query: JSON.stringify({ TagFilters: [{ Key: 'stage', Values: ['live'] }] }),
      }
      const { status, body } = await groups('POST', '/resource-groups/groups', {
        body: { Name: `live-${number}`, ResourceQuery },
        accept: [400],
      })
      // It exists if the response to an earlier attempt was lost.
      if (status === 400 && !/already exists/.test(body.Message)) throw new Error(body.Message)
    },
    async audit(acknowledged) {
      const rows = await database.many<{ name: string }>(sql`
        select name from resource_groups.groups where tenant = ${tenant}`)
      return lacking(
        acknowledged,
        rows.map(({ name }) => name),
      )
    },
  }

  const robotics: Journey = {
    service: 'robotics-statistics',
    pauseMs: 1_000,
    async prepare() {
      await cell.icosa('robotics', 'generate', '--season', '2026', '--events', '3', '--teams', '60', '--tenant', tenant)
    },
    async work() {
      const { body } = await plain('GET', '/robotics-statistics/v3.0/2026/rankings/SY001', {
        headers: { authorization: `Basic ${Buffer.from(`${tenant}:${callers.key}`).toString('base64')}` },
      })
      if (!body.Rankings?.length) throw new Error(`rankings said ${JSON.stringify(body)}`)
    },
  }

  const orders = `/sql-databases${arm}/Vendor.Sql/servers/eu/databases`
  const sqlVersion = 'api-version=2017-10-01-preview'
  const databases: Journey = {
    service: 'sql-databases',
    pauseMs: 5_000,
    async prepare() {
      await plain('PUT', `${orders}/orders?${sqlVersion}`, { body: { location: 'westeurope', sku: { name: 'S0' } } })
      await until(() => stateOf(`${orders}/orders?${sqlVersion}`, 'Online'))
    },
    async work(number) {
      const at = `${orders}/made-${number % 8}?${sqlVersion}`
      await plain('PUT', at, { body: { location: 'westeurope', sku: { name: 'S0' } } })
      await until(() => stateOf(at, 'Online'))
    },
  }

  const machine = `/sql-virtual-machines${arm}/Vendor.SqlVirtualMachine/sqlVirtualMachines/orders`
  const machineVersion = 'api-version=2017-03-01-preview'
  let machineUrl = ''
  const query = async (text: string) => {
    const client = await connectTo(machineUrl)
    return client.query(text).finally(() => client.end().catch(() => {}))
  }
  const machines: Journey = {
    service: 'sql-virtual-machines',
    pauseMs: 1_000,
    async prepare() {
      await plain('PUT', `${machine}?${machineVersion}`, { body: { location: 'westeurope' } })
      machineUrl = await until(async () => {
        const { status, body } = await plain('POST', `${machine}/listCredentials?${machineVersion}`, { accept: [409] })
        return status === 200 && body.connectionString
      }, 120_000)
      await query('create table lines (number int primary key)')
    },
    async work(number) {
      await query(`insert into lines values (${number}) on conflict do nothing`)
    },
    async audit(acknowledged) {
      const { rows } = await until(() => query('select number from lines'))
      return lacking(
        acknowledged,
        rows.map(({ number }: { number: number }) => String(number)),
      )
    },
  }

  const program = readFileSync('/bin/true')
  const unpack: Journey = {
    service: 'unpack-analysis',
    pauseMs: 5_000,
    async work() {
      const form = new FormData()
      form.set('file', new Blob([program]), 'true')
      const { body } = await plain('POST', '/unpack-analysis/generate-partial-yara-rules', { body: form })
      if (JSON.stringify(body).length < 10) throw new Error(`unpack said ${JSON.stringify(body)}`)
    },
  }

  const calls: string[] = []
  const voiceMessaging: Journey = {
    service: 'voice-messaging',
    pauseMs: 2_000,
    async work(number) {
      const { body } = await voice('POST', '/voice-messaging/v1/sms-voice/voice/message', {
        body: {
          DestinationPhoneNumber: '+12065550101',
          Content: { PlainTextMessage: { Text: `Number ${number}`, LanguageCode: 'en-US' } },
        },
      })
      calls.push(body.MessageId)
    },
    async audit() {
      const ended = () =>
        database.many<{ id: string }>(sql`
          select id from voice_messaging.calls where tenant = ${tenant} and state not in ('waiting', 'initiated', 'ringing', 'answered')`)
      const missing = async () => {
        const rows = new Set((await ended()).map(({ id }) => id))
        return calls.filter((id) => !rows.has(id))
      }
      await until(async () => (await missing()).length === 0, 180_000).catch(() => {})
      return (await missing()).map((id) => `call ${id} has not ended`)
    },
  }

  const points: string[] = []
  const backups: Journey = {
    service: 'backup',
    pauseMs: 8_000,
    async prepare() {
      await backup('PUT', '/backup/backup-vaults/daily', { body: {} })
    },
    async work(number) {
      const { body } = await backup('PUT', '/backup/backup-jobs', {
        body: {
          BackupVaultName: 'daily',
          ...role,
          ResourceArn: `${orders}/orders`.replace('/sql-databases', ''),
          IdempotencyToken: `backup-${number}`,
        },
      })
      const job = await until(async () => {
        const { body: state } = await backup('GET', `/backup/backup-jobs/${body.BackupJobId}`)
        return /COMPLETED|FAILED|ABORTED/.test(state.State) && state
      }, 180_000)
      if (job.State !== 'COMPLETED') throw new Error(`backup ${job.State}: ${job.StatusMessage}`)
      points.push(job.RecoveryPointArn)
    },
    async audit() {
      const failed: string[] = []
      for (const [index, RecoveryPointArn] of [points[0], points.at(-1)].entries()) {
        if (!RecoveryPointArn) continue
        const { body } = await backup('PUT', '/backup/restore-jobs', {
          body: { RecoveryPointArn, ...role, Metadata: { databaseName: `restored-${index}` } },
        })
        const job = await until(async () => {
          const { body: state } = await backup('GET', `/backup/restore-jobs/${body.RestoreJobId}`)
          return /COMPLETED|FAILED|ABORTED/.test(state.Status) && state
        }, 180_000)
        if (job.Status !== 'COMPLETED') failed.push(`restore ${job.Status}: ${job.StatusMessage}`)
      }
      return failed
    },
  }

  return [
    configurationStores,
    apiDiagnostics,
    banking,
    braille,
    contributions,
    eventDetection,
    faces,
    functions,
    modules,
    identity,
    jobScheduler,
    language,
    podcasts,
    resourceGroups,
    robotics,
    databases,
    machines,
    unpack,
    voiceMessaging,
    backups,
  ]
}
