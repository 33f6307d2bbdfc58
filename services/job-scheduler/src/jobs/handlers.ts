import { Failure, implement, invalid, ok, type ReadingContext, type Resource, withPreparation } from '@icosa/kernel'
import type { CollectionAddress, JobAddress } from '../collections/address.ts'
import { missing as missingCollection } from '../collections/handlers.ts'
import * as collections from '../collections/store.ts'
import { fireManually } from '../firing/fire.ts'
import * as history from '../history/store.ts'
import { openCertificates } from '../secrets/certificate.ts'
import { jobs as contract, type PropertiesInput } from './contract.ts'
import { jobStates } from './job.ts'
import * as store from './store.ts'
import { toJob, toJobHistory } from './view.ts'
import { jobWriter, missing, type Parts } from './write.ts'

export function jobs(parts: Parts): Resource {
  const { create, change } = jobWriter(parts)

  return implement(contract, {
    async list({ params, query }, context) {
      const { db, clock } = context
      const collection = await collectionAt(params, context)
      const states = readFilter(query.$filter, 'state', jobStates)
      const listQuery = { states, top: query.$top, skip: query.$skip, token: query.$skipToken }
      const { items, next } = await store.list(db, collection, listQuery)
      return ok({ value: items.map((job) => toJob(job, collection, clock.now())) }, { next })
    },

    async get({ params }, context) {
      const job = await jobAt(params, context)
      return ok(toJob(job, job, context.clock.now()))
    },

    createOrUpdate: withPreparation(openCertificates, async ({ params, body }, context, certificates) => {
      const collection = await collectionAt(params, context)
      const write = { collection, input: body.properties ?? {}, certificates }
      const old = await store.lock(context.db, collection, params.jobName)
      return old ? change({ ...write, old }, context) : create(params.jobName, write, context)
    }),

    patch: withPreparation(openCertificates, async ({ params, body }, context, certificates) => {
      const collection = await collectionAt(params, context)
      const old = (await store.lock(context.db, collection, params.jobName)) ?? missing(params.jobName)
      const input = merged<PropertiesInput>(old.definition, body.properties ?? {})
      return change({ collection, input, certificates, old }, context)
    }),

    async run({ params }, context) {
      const job = await jobAt(params, context)
      if (job.collectionState !== 'Enabled') {
        const message = `The job collection '${params.jobCollectionName}' is disabled: enable it, then run the job.`
        throw new Failure('conflict', message, { code: 'JobCollectionDisabled' })
      }
      await fireManually(context.db, context.jobs, parts.deliver, job, context.clock.now())
      return { status: 200 as const, body: undefined }
    },

    async listJobHistory({ params, query }, context) {
      const job = await jobAt(params, context)
      const statuses = readFilter(query.$filter, 'status', history.statuses)
      const historyQuery = { statuses, top: query.$top, skip: query.$skip, token: query.$skipToken }
      const { items, next } = await history.list(context.db, job, historyQuery)
      return ok({ value: items.map((row) => toJobHistory(row, job)) }, { next })
    },

    async delete({ params }, context) {
      const { db } = context
      const row = await collectionAt(params, context)
      const collection = (await collections.countJobs(db, row, -1)) ?? missingCollection(params)
      if (!(await store.remove(db, collection, params.jobName))) missing(params.jobName)
      return { status: 200 as const, body: undefined }
    },
  })
}

async function collectionAt(address: CollectionAddress, { db, caller }: ReadingContext): Promise<collections.Row> {
  return (await collections.find(db, caller.tenant, address)) ?? missingCollection(address)
}

async function jobAt(address: JobAddress, context: ReadingContext): Promise<store.JobInCollection> {
  const job = await store.findAt(context.db, context.caller.tenant, address)
  if (job) return job
  await collectionAt(address, context) // fails if the collection is missing
  return missing(address.jobName)
}

/** Parses `state eq 'Enabled' or state eq 'Faulted'`; undefined matches everything. */
function readFilter<V extends string>(
  filter: string | undefined,
  property: string,
  values: readonly V[],
): V[] | undefined {
  if (filter === undefined || filter.trim() === '') return undefined
  const comparison = new RegExp(`^\\s*(?:properties/)?${property}\\s+eq\\s+'?(\\w+)'?\\s*$`, 'i')
  return filter.split(/\sor\s/i).map((part) => {
    const [, word = ''] = comparison.exec(part) ?? []
    const match = values.find((value) => value.toLowerCase() === word.toLowerCase())
    if (!match) {
      const example = `${property} eq '${values[0]}'`
      invalid([
        {
          at: 'query/$filter',
          message: `must look like ${example}, several joined by or, with the values ${values.join(', ')}`,
        },
      ])
    }
    return match
  })
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Merges objects recursively; anything else is replaced. */
function merged<T extends object>(base: object, change: T): T {
  const result: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(change)) {
    const current = result[name]
    result[name] = isObject(value) && isObject(current) ? merged(current, value) : value
  }
  return result as T // both have only members of T
}
