import { extension, named, type Static, Type, writable } from '@icosa/contract'
import { arm, listOf, plainName, resourceFamily, resourceFields, Tags } from '@icosa/dialects/arm'
import { versions } from '../names.ts'
import { Frequency } from '../recurrence/contract.ts'
import { spelled } from '../spelling/contract.ts'

/** Schemas of names, in paths and in the metadata of restores. */
export const names = { jobCollectionName: plainName(100), jobName: plainName(100) }

export const api = arm('Vendor.Scheduler', names, versions[0])

const positive = () => Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }))

const JobCollectionQuota = named('JobCollectionQuota', {
  maxJobCount: positive(),
  maxJobOccurrence: positive(),
  maxRecurrence: Type.Optional(
    named('JobMaxRecurrence', {
      frequency: Type.Optional(Frequency),
      interval: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    }),
  ),
})
export interface QuotaInput extends Static<typeof JobCollectionQuota> {}

const JobCollection = named('JobCollectionDefinition', {
  id: resourceFields.id,
  type: resourceFields.type,
  name: Type.Optional(Type.String({ maxLength: 256, description: 'Ignored: the name in the path is used.' })),
  location: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  tags: Type.Optional(Tags),
  properties: Type.Optional(
    named('JobCollectionProperties', {
      sku: Type.Optional(
        named('Sku', { name: Type.Optional(spelled('Standard', 'Free', 'P10Premium', 'P20Premium')) }),
      ),
      state: Type.Optional(spelled('Enabled', 'Disabled', 'Suspended', 'Deleted')),
      quota: Type.Optional(JobCollectionQuota),
    }),
  ),
})
export interface JobCollection extends Static<typeof JobCollection> {}

const JobCollectionInput = writable(JobCollection)
export interface JobCollectionInput extends Static<typeof JobCollectionInput> {}

export const page = { $skipToken: extension(Type.Optional(Type.String({ maxLength: 2_000 }))) }
const family = resourceFamily(api, 'jobCollections', 'jobCollectionName', {
  noun: 'job collection',
  one: JobCollection,
  many: listOf('JobCollectionListResult', JobCollection),
  page,
  put: {
    summary: 'Create or replace a job collection. Its jobs are kept.',
    body: JobCollectionInput,
    replies: { 200: JobCollection, 201: JobCollection },
  },
  patch: {
    summary: 'Change the given properties of a job collection.',
    body: JobCollectionInput,
    replies: { 200: JobCollection },
  },
  delete: {
    summary: 'Delete a job collection with its jobs; large ones in the background.',
    replies: { 200: null, 202: null },
  },
})

export const collections = {
  listBySubscription: family.list,
  listByResourceGroup: family.listByResourceGroup,
  get: family.get,
  createOrUpdate: family.put,
  patch: family.patch,
  enable: api.post(`${family.at}/enable`, {
    summary: 'Enable all jobs of a collection.',
    replies: { 200: null, 202: null },
  }),
  disable: api.post(`${family.at}/disable`, {
    summary: 'Disable all jobs of a collection. They keep their schedules.',
    replies: { 200: null, 202: null },
  }),
  delete: family.delete,
}
