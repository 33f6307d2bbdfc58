import { randomUUID } from 'node:crypto'
import { client } from '@icosa/client'
import * as configuration from '@icosa/configuration-stores/contract'
import { bindSubscription } from '@icosa/dialects/arm/bindings'
import { arnOfResource, namesOf } from '@icosa/dialects/signed/resource-name'
import * as events from '@icosa/event-detection/contract'
import { contracts as faces } from '@icosa/face-recognition/contract'
import * as functions from '@icosa/functions/contract'
import * as identity from '@icosa/identity-connect/contract'
import * as scheduler from '@icosa/job-scheduler/contract'
import { contracts as language } from '@icosa/language-authoring/contract'
import type { credentialsFor } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backedUpTypes, resourceTypes } from '../../apps/server/src/services.ts'
import * as pointRows from '../../services/backup/src/recovery-points/store.ts'
import { resourceOf } from '../../services/backup/src/resources/registry-store.ts'
import { selector } from '../../services/backup/src/selections/match.ts'
import * as playlists from '../../services/podcast-directory/src/lists/playlists/store.ts'
import { seeds } from '../seeds.ts'
import { type Registered, resourcesOf } from './registry-store.ts'
import { type Everything, IamRoleArn, startEverything, tenant } from './support.ts'

type Owner = Awaited<ReturnType<typeof credentialsFor>>
type Params = Awaited<ReturnType<(typeof seeds)[string]>>

/** Registered types that are not backed up, and why. */
const without: Readonly<Record<string, string>> = {
  'Vendor.Sql/servers': 'a name for databases: restoring one of these makes it',
  'Vendor.Sql/servers/elasticPools': 'limits that databases share',
  'Vendor.SqlVirtualMachine/sqlVirtualMachineGroups': 'a cluster of machines, each of which can be restored',
  'Vendor.HardwareSecurityModules/dedicatedHSMs':
    "its keys leave it wrapped or not at all; sealed copies are in the platform's own database",
  'AWS::SMSVOICE::ConfigurationSet': 'where events go: an address of the moment',
  'AWS::ResourceGroups::Group': 'a query over what is backed up itself',
  'AWS::Backup::BackupVault': 'where backups are',
  'AWS::Backup::BackupPlan': 'what makes backups: as long as vaults are there, it is, too',
}

/** Types whose own tests compare files, or rows, since the output of pg_dump contains its time. */
const ownTests: readonly string[] = [
  ...['Vendor.Sql/servers/databases', 'Vendor.SqlVirtualMachine/sqlVirtualMachines'],
  'contribution-collection/assignments',
]

/** How an owner deletes a resource of each type, dependents first. They are restored in reverse order. */
const deletions: Readonly<Record<string, (owner: Owner, params: Params) => Promise<unknown>>> = {
  'AWS::IoTEvents::AlarmModel': (owner, params) =>
    client(events.alarmModels, owner).DeleteAlarmModel({ params: named(params) }),
  'AWS::IoTEvents::DetectorModel': (owner, params) =>
    client(events.detectorModels, owner).DeleteDetectorModel({ params: named(params) }),
  'AWS::IoTEvents::Input': (owner, params) => client(events.inputs, owner).DeleteInput({ params: named(params) }),
  'cloudfunctions.googleapis.com/Function': (owner, params) =>
    client(functions.functions, owner).deleteFunction({ params: named(params) }),
  'Vendor.Scheduler/jobCollections': (owner, params) =>
    client(scheduler.collections, owner).delete({ params: named(params), query: { 'api-version': '2016-03-01' } }),
  'Vendor.AppConfiguration/configurationStores': (owner, params) =>
    client(configuration.stores, owner).delete({
      params: named(params),
      query: { 'api-version': '2019-11-01-preview' },
    }),
  'identity-connect/clients': (owner, params) =>
    client(identity.clients, owner).deleteClient({ params: named(params) }),
  'face-recognition/personGroups': (owner, params) =>
    client(faces.PersonGroup, owner).delete({ params: named(params) }),
  'face-recognition/largePersonGroups': (owner, params) =>
    client(faces.LargePersonGroup, owner).delete({ params: named(params) }),
  'face-recognition/faceLists': (owner, params) => client(faces.FaceList, owner).delete({ params: named(params) }),
  'face-recognition/largeFaceLists': (owner, params) =>
    client(faces.LargeFaceList, owner).delete({ params: named(params) }),
  'language-authoring/apps': (owner, params) =>
    client(language.Apps, owner).delete({ params: named(params), query: { force: true } }),
  // No operation deletes one: the operator's command only replaces them.
  'podcast-directory/playlists': (_, { id = '' }) =>
    world.app.platform.transaction('podcast-directory', tenant, async (db, __, resources) => {
      await playlists.remove(db, tenant, id)
      await resources.remove(`/podcast-directory/playlists/${id}`)
    }),
}
const named = (params: Params) => params as never
/** Names of resource names in paths and metadata. */
const nameKeys = [
  ...['name', 'function', 'configStoreName', 'jobCollectionName'],
  ...['alarmModelName', 'detectorModelName', 'inputName', 'client_id', 'appId', 'id'],
  ...['personGroupId', 'largePersonGroupId', 'faceListId', 'largeFaceListId'],
]

let world: Everything
const paramsOf = new Map<string, Params>()
let all: readonly Registered[] = []
/** First recovery point of each type, with the hash of the resource at that time. */
const points = new Map<string, { readonly arn: string; readonly hash: string }>()
const BackupVaultName = 'types'
const idOf = (arn: string) => arn.split(':').at(-1) ?? ''
const types = Object.keys(deletions)
const nameIn = (id: string) => id.split('/').at(-1) ?? ''

const resource = (type: string) => {
  const those = all.filter((one) => one.type === type && !one.id.includes('deleted'))
  const seeded = ({ id, service }: Registered) => Object.values(paramsOf.get(service) ?? {}).includes(nameIn(id))
  const found = those.find(seeded) ?? those[0]
  if (!found) throw new Error(`Nothing of the type ${type} was seeded.`)
  return found
}
const arnOf = ({ id, service }: Registered) =>
  id.startsWith('arn:') ? id : `arn:aws:${service}:us-east-1:${tenant}:${id.replace(/^\//, '')}`

async function resourceAt(arn: string | undefined): Promise<Registered> {
  const restored = (await resourcesOf(world.app.platform.database, tenant)).find((resource) => arnOf(resource) === arn)
  if (!restored) throw new Error(`There is no resource ${arn}.`)
  return restored
}

async function backUp(arn: string): Promise<string> {
  const { calls, app } = world
  const body = { BackupVaultName, ResourceArn: arn, IamRoleArn }
  const { BackupJobId, RecoveryPointArn } = (await calls.StartBackupJob({ body })).body
  await app.jobs.drain()
  const job = (await calls.DescribeBackupJob({ params: { backupJobId: BackupJobId } })).body
  expect(job).toMatchObject({ State: 'COMPLETED' })
  return RecoveryPointArn
}

async function startRestore(RecoveryPointArn: string, Metadata: Record<string, string>): Promise<string> {
  const body = { RecoveryPointArn, Metadata, CopySourceTagsToRestoredResource: true }
  return (await world.calls.StartRestoreJob({ body })).body.RestoreJobId
}

const restoreJob = async (restoreJobId: string) =>
  (await world.calls.DescribeRestoreJob({ params: { restoreJobId } })).body

async function restore(RecoveryPointArn: string, Metadata: Record<string, string> = {}) {
  const job = await startRestore(RecoveryPointArn, Metadata)
  await world.app.jobs.drain()
  return restoreJob(job)
}

beforeAll(async () => {
  world = await startEverything()
  const { app, services, ownerOf, calls } = world
  for (const { name, backups = [] } of services) {
    const seed = seeds[name]
    if (seed && backups.some(({ type }) => types.includes(type)))
      paramsOf.set(name, await seed(await ownerOf(name), app))
  }
  await app.jobs.drain()
  all = await resourcesOf(app.platform.database, tenant)
  await calls.CreateBackupVault({ params: { backupVaultName: BackupVaultName }, body: {} })
}, 600_000)
afterAll(() => world[Symbol.asyncDispose]())

test('every registry type is backed up and tested here, or listed with the reason why not', () => {
  const ported = world.services.flatMap(({ backups = [] }) => backups.map(({ type }) => type))
  expect([...ported, ...Object.keys(without)].sort()).toEqual([...resourceTypes].sort())
  expect(ported.sort()).toEqual([...types, ...ownTests].sort())
  expect([...backedUpTypes].sort()).toEqual(ported)
})

test.each(types)('every spelling of the id of a %s selects exactly that resource', async (type) => {
  const owner = { tenant, region: 'us-east-1' }
  const one = resource(type)
  const arn = arnOfResource(owner, one)
  const path = one.id.replace(/^\//, '')
  const spellings = path.startsWith('arn:') ? [arn, arn.toLowerCase()] : [arn, path, `/${path}`, path.toUpperCase()]
  for (const spelling of spellings) {
    const base = { SelectionName: 'one', IamRoleArn }
    const selects = (selection: object) => {
      const isSelected = selector(owner, { ...base, ...selection })
      return all.filter((candidate) => isSelected({ names: namesOf(owner, candidate), tags: candidate.tags }))
    }
    expect(selects({ Resources: [spelling] }), spelling).toEqual([one])
    expect(selects({ NotResources: [spelling] }), spelling).toEqual(all.filter((other) => other !== one))
    expect(selects({ Resources: [`${spelling.slice(0, -1)}*`] }), spelling).toContainEqual(one)
    expect(await resourceOf(world.app.platform.database, owner, spelling), spelling).toMatchObject({ id: one.id })
  }
})

test.each(types)('%s is restored unchanged under another name', { timeout: 120_000 }, async (type) => {
  const { hashNow } = world
  const hash = await hashNow(resource(type))
  const point = await backUp(arnOf(resource(type)))
  points.set(type, { arn: point, hash })
  const { body } = await world.calls.GetRecoveryPointRestoreMetadata({
    params: { backupVaultName: BackupVaultName, recoveryPointArn: point },
  })
  const { subscriptionId, project } = body.RestoreMetadata ?? {}
  const [, , named] = /^(\/subscriptions|projects)\/([^/]+)/.exec(resource(type).id) ?? []
  expect(subscriptionId ?? project, 'restores are restricted to it').toBe(named)
  const name = Object.keys(body.RestoreMetadata ?? {}).find((key) => nameKeys.includes(key)) ?? ''
  const job = await restore(point, { [name]: name === 'name' ? 'restored_copy' : 'restored-copy' })
  expect(job).toMatchObject({ Status: 'COMPLETED' })
  const copy = await resourceAt(job.CreatedResourceArn)
  expect(copy.id).not.toBe(resource(type).id)
  expect(await hashNow(copy)).toBe(hash)
  expect(copy.tags).toEqual(resource(type).tags)
  const refused = await restore(point, { [name]: 'another', unheard: 'of' })
  expect(refused).toMatchObject({ Status: 'FAILED', StatusMessage: expect.stringMatching(/unheard/) })
})

test('a restore test uses a separate name and removes the restored resource', async () => {
  const { calls, app } = world
  const params = { RestoreTestingPlanName: 'types' }
  const RecoveryPointSelection = { Algorithm: 'LATEST_WITHIN_WINDOW' as const, IncludeVaults: ['*'] }
  const RestoreTestingPlan = { ...params, ScheduleExpression: 'rate(1 hour)', RecoveryPointSelection }
  await calls.CreateRestoreTestingPlan({ body: { RestoreTestingPlan } })
  for (const [number, ProtectedResourceType] of types.entries()) {
    const ProtectedResourceArns = [resource(ProtectedResourceType).id]
    const one = {
      RestoreTestingSelectionName: `of_${number}`,
      ProtectedResourceType,
      IamRoleArn,
      ProtectedResourceArns,
    }
    await calls.CreateRestoreTestingSelection({ params, body: { RestoreTestingSelection: one } })
  }
  const before = await resourcesOf(app.platform.database, tenant)
  await app.clock.advance(3_601_000)
  await app.jobs.drain()
  const { RestoreJobs } = (await calls.ListRestoreJobs({ query: {} })).body
  const tried = RestoreJobs.filter(({ CreatedBy }) => CreatedBy?.RestoreTestingPlanArn !== undefined)
  expect(tried.map(({ ResourceType }) => ResourceType).sort()).toEqual([...types].sort())
  expect(
    tried.filter(({ Status, DeletionStatus }) => Status !== 'COMPLETED' || DeletionStatus !== 'SUCCESSFUL'),
  ).toEqual([])
  expect(await resourcesOf(app.platform.database, tenant)).toEqual(before)
}, 600_000)

test('deleted resources are restored unchanged under their own ids', async () => {
  const { app, ownerOf, hashNow } = world
  const { database } = app.platform
  // All resources of a type: restored copies of models use the same input.
  for (const type of types) {
    for (const { id, service } of (await resourcesOf(database, tenant)).filter((resource) => resource.type === type)) {
      const names = Object.fromEntries(nameKeys.map((key) => [key, nameIn(id)]))
      await deletions[type]?.(await ownerOf(service), { ...paramsOf.get(service), ...names })
    }
    await app.jobs.drain()
  }
  const left = await resourcesOf(database, tenant)
  expect(left.filter(({ type }) => types.includes(type))).toEqual([])
  for (const type of types.toReversed()) {
    const point = points.get(type)
    const restored = await restore(point?.arn ?? '')
    expect(restored).toMatchObject({ Status: 'COMPLETED', CreatedResourceArn: arnOf(resource(type)) })
    expect(await hashNow(resource(type)), type).toBe(point?.hash)
  }
}, 600_000)

test('no type is restored into a subscription of another tenant', async () => {
  const { database, clock } = world.app.platform
  await database.transaction((db) => bindSubscription(db, clock, 'foreign', 'another'))
  const [saved] = points.values()
  const row = await pointRows.find(database, tenant, idOf(saved?.arn ?? ''))
  if (!row) throw new Error('Nothing was backed up.')
  const before = await resourcesOf(database, tenant)
  const jobs: [name: string, id: string][] = []
  for (const resourceType of [...types, ...ownTests]) {
    const id = randomUUID()
    await database.transaction((db) => pointRows.insert(db, { ...row, id, resourceType }))
    for (const key of ['subscriptionId', 'project']) {
      const job = await startRestore(saved?.arn.replace(row.id, id) ?? '', { [key]: 'Foreign' })
      jobs.push([`${resourceType} ${key}`, job])
    }
  }
  await world.app.jobs.drain()
  for (const [name, id] of jobs)
    expect(await restoreJob(id), name).toMatchObject({
      Status: 'FAILED',
      StatusMessage: expect.stringMatching(/'Foreign' was not found: ask the operator to bind it to you/),
    })
  expect(await resourcesOf(database, tenant)).toEqual(before)
})
