import { randomUUID } from 'node:crypto'
import { type AnyJob, type Context, created, Failure, invalid, ok } from '@icosa/kernel'
import { readAction } from '../actions/read.ts'
import { missing as missingCollection } from '../collections/handlers.ts'
import { checkJobCount, checkRecurrence, quotaOf } from '../collections/quota.ts'
import * as collections from '../collections/store.ts'
import type { Delivery } from '../firing/deliver.ts'
import { fire, horizonOf } from '../firing/fire.ts'
import { readMoment } from '../recurrence/moment.ts'
import { readRecurrence } from '../recurrence/read.ts'
import type { OpenedCertificates } from '../secrets/certificate.ts'
import { openSecrets, sealSecrets } from '../secrets/secrets.ts'
import { split } from '../secrets/split.ts'
import { canonical } from '../spelling/canonical.ts'
import type { PropertiesInput } from './contract.ts'
import { type Definition, type JobRow, jobStates } from './job.ts'
import * as store from './store.ts'
import { scheduled } from './timing.ts'
import { toJob } from './view.ts'

export interface Parts {
  readonly deliver: AnyJob<Delivery>
}

interface Write {
  readonly collection: collections.Row
  readonly input: PropertiesInput
  readonly certificates: OpenedCertificates
  readonly old?: JobRow
}

/** Creates and changes jobs. */
export function jobWriter({ deliver }: Parts) {
  /** Returns the columns of a written job: definition, sealed secrets and schedule. */
  async function columnsOf(
    id: string,
    { collection, input, certificates, old }: Write,
    context: Context,
  ): Promise<store.Written> {
    const { clock } = context
    const vault = await context.tenantVault()
    const parsed = readDefinition(input)
    if (parsed.recurrence) checkRecurrence(quotaOf(collection.sku, collection.quota), parsed.recurrence)
    const key = { tenant: collection.tenant, id }
    const before = old && { action: old.definition.action, secrets: openSecrets(vault, key, old.secrets) }
    const { action, secrets } = split(parsed.action, before, certificates)
    const definition = { ...parsed, action }
    const state = input.state && canonical(jobStates, input.state)
    const sealed = sealSecrets(vault, key, secrets)
    return { definition, secrets: sealed, ...scheduled(definition, state, old, clock.now()) }
  }

  async function change(write: Write & { readonly old: JobRow }, context: Context) {
    const { db, clock } = context
    await store.change(db, write.old, await columnsOf(write.old.id, write, context), clock.now())
    return ok(await fireIfDue(write.old.name, write.collection, context))
  }

  async function create(name: string, write: Write, context: Context) {
    const { db, clock } = context
    const id = randomUUID()
    const columns = await columnsOf(id, write, context)
    // Locks the collection: jobs are counted in sequence, and the job gets the collection's current state.
    const collection = (await collections.countJobs(db, write.collection, 1)) ?? missingCollection(write.collection)
    const collectionEnabled = collection.state === 'Enabled'
    if (!(await store.insert(db, collection, { ...columns, id, name, collectionEnabled }, clock.now()))) {
      const existing = (await store.lock(db, collection, name)) ?? missing(name)
      await collections.countJobs(db, collection, -1)
      return change({ ...write, collection, old: existing }, context)
    }
    checkJobCount(quotaOf(collection.sku, collection.quota), collection.jobCount)
    return created(await fireIfDue(name, collection, context))
  }

  /** Fires a job that is already due, without waiting for the next poll. */
  async function fireIfDue(name: string, collection: collections.Row, { db, jobs, clock }: Context) {
    const now = clock.now()
    const job = (await store.find(db, collection, name)) ?? missing(name)
    const due = job.state === 'Enabled' && job.collectionEnabled ? job.nextExecutionAt : null
    if (!due || due > horizonOf(now)) return toJob(job, collection, now)
    await fire(db, jobs, deliver, [job], now)
    return toJob((await store.find(db, collection, name)) ?? job, collection, now)
  }

  return { create, change }
}

export function missing(name: string): never {
  throw new Failure('notFound', `The job '${name}' was not found: create it with PUT.`)
}

const at = 'body/properties'

/** Parses a definition, which still contains secrets. */
function readDefinition({ action, recurrence, startTime }: PropertiesInput): Definition {
  if (action === undefined) invalid([{ at: `${at}/action`, message: 'is required' }])
  const timing = {
    ...(recurrence && { recurrence: readRecurrence(recurrence, `${at}/recurrence`) }),
    ...(startTime !== undefined && { startTime: readMoment(startTime, `${at}/startTime`).text }),
  }
  return { ...timing, action: readAction(action, `${at}/action`) }
}
