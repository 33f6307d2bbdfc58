import { Failure, type Job, job } from '@icosa/kernel'
import * as events from '../events/store.ts'
import { revisionId } from '../functions/address.ts'
import * as functions from '../functions/store.ts'
import type { UrlOf } from '../functions/url.ts'
import { nameOf, toFunction } from '../functions/view.ts'
import * as logs from '../logs/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import * as revisions from './store.ts'
import { sweepLater } from './sweep.ts'
import { warm } from './warm.ts'

export interface Subject extends functions.Place {
  readonly tenant: string
}

/** One attempt to deploy the desired configuration of a function. */
export interface Deployment extends Subject {
  readonly number: number
}

export interface Jobs {
  readonly deploy: Job<Deployment, ServiceRuntime>
}

const deleted = (subject: functions.Place) => new Failure('notFound', `The function '${nameOf(subject)}' was deleted.`)

/**
 * Builds the source and switches to the new revision, unless the traffic is to stay. Until then, and if it fails, the
 * old one serves.
 */
export function deployJob(urlOf: UrlOf): Job<Deployment, ServiceRuntime> {
  return job<Deployment, ServiceRuntime>('deploy', {
    async run(deployment, context) {
      const { tenant, number } = deployment
      const row = await functions.find(context.db, tenant, deployment)
      if (!row || row.number !== number) throw deleted(deployment)
      const [latest] = await revisions.list(context.db, tenant, row, 1)
      const { build } = await import('./build.ts') // lazily, for its zip library
      const built = await build(row, latest, context)
      const { project, location, function: name } = row
      const id = revisionId(name, number)
      const revision = { id, project, location, function: name, number, desired: row.desired, ...built }
      await warm(revision, context)
      return async (db, jobs) => {
        const now = context.clock.now()
        const result = { state: 'ACTIVE' as const, messages: [], revision: id, now }
        const updated = await functions.endDeployment(db, tenant, deployment, result)
        if (!updated) throw deleted(deployment)
        await revisions.insert(db, tenant, revision, now)
        await revisions.removeOld(db, tenant, row, updated.revision)
        const idle = updated.revision === id ? row.revision : id
        if (idle !== null) await jobs.enqueue(retire, { revision: idle })
        await sweepLater(jobs, now)
        return toFunction(updated, urlOf)
      }
    },
    async failed(deployment, db, error, { jobs, clock }) {
      const message = error instanceof Failure ? error.message : 'Internal error: deploy it again.'
      const type = error instanceof Failure ? (error.code ?? 'BuildFailed') : 'Internal'
      const messages = [{ severity: 'ERROR' as const, type, message }]
      await functions.endDeployment(db, deployment.tenant, deployment, { state: 'FAILED', messages })
      await sweepLater(jobs, clock.now()) // the artifact may exist
    },
  })
}

/** Runs once the revision that serves in its place is visible to all nodes. */
export const retire: Job<{ readonly revision: string }, ServiceRuntime> = job<
  { readonly revision: string },
  ServiceRuntime
>('retire', {
  retries: 10,
  async run({ revision: id }, { tenant, runtime }) {
    await (await runtime.instances()).retire({ tenant, id })
  },
})

export const deleteFunction: Job<Subject, ServiceRuntime> = job<Subject, ServiceRuntime>('delete', {
  retries: 10,
  async run(subject, { db: reading, runtime, clock }) {
    const row = await functions.find(reading, subject.tenant, subject)
    if (row?.revision) await (await runtime.instances()).retire({ tenant: subject.tenant, id: row.revision })
    return async (db, jobs, resources) => {
      await functions.remove(db, subject.tenant, subject)
      await revisions.removeAll(db, subject.tenant, subject)
      await events.removeAll(db, subject.tenant, subject)
      await logs.remove(db, subject.tenant, subject)
      await resources.remove(nameOf(subject))
      await sweepLater(jobs, clock.now())
      return null
    }
  },
})

/** Fails the operation of a request to create an existing function. */
export const refuseExisting: Job<Subject, ServiceRuntime> = job<Subject, ServiceRuntime>('refuse-existing', {
  async run(subject) {
    throw new Failure(
      'alreadyExists',
      `The function '${nameOf(subject)}' already exists: update it, or delete it first.`,
    )
  },
})
