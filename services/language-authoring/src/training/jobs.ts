import { createHash, randomUUID } from 'node:crypto'
import { Failure, type JobContext, type JobsOf, job } from '@icosa/kernel'
import * as appStore from '../apps/store.ts'
import * as exampleStore from '../examples/store.ts'
import type { WholeApp } from '../exchange/whole-app.ts'
import { toDocument } from '../exchange/write.ts'
import * as logStore from '../prediction/log-store.ts'
import { modelsInUse } from '../publishing/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import * as versionStore from '../versions/store.ts'
import * as store from './store.ts'

interface Input {
  readonly uid: string
}

/**
 * Trains a version into a new blob, which the last write swaps in. The name of the blob ends in the hash of its content, and
 * is unique per training: an unused one stays unused.
 */
export const train = job<Input, ServiceRuntime>('train', {
  async run({ uid }, context) {
    const { tenant, runtime, blobs, signal, clock, transaction } = context
    const snapshot = await snapshotOf(context, uid)
    if (!snapshot) return
    await transaction((db) => store.begin(db, tenant, uid))
    const { app, version } = snapshot
    try {
      const bytes = await runtime.trainer.train(tenant, toDocument(app), signal)
      const hash = createHash('sha256').update(bytes).digest('hex')
      const model = modelKey(version.app, `${randomUUID()}-${hash}`)
      signal.throwIfAborted()
      await blobs.put(model, bytes)
      const trained = { model, revision: version.revision, examples: app.examples.length, now: clock.now() }
      return async (db, jobs) => {
        const exists = await store.succeed(db, tenant, uid, trained)
        const at = new Date(clock.now().getTime() + (exists ? 60_000 : 0))
        await jobs.enqueue(forgetOld, { app: version.app }, { key: version.app, at })
      }
    } catch (error) {
      // A retry would fail, too.
      if (!(error instanceof Failure) || error.kind !== 'invalid') throw error
      const { message } = error
      return async (db, jobs) => {
        await store.fail(db, tenant, uid, message)
        await jobs.enqueue(forgetOld, { app: version.app }, { key: version.app })
      }
    }
  },
  failed: ({ uid }, db, { message }, { tenant }) => store.fail(db, tenant, uid, message),
})

export const modelKey = (app: string, name: string) => `models/${app}/${name}`

/** Reads a consistent snapshot of a version and its utterances. */
async function snapshotOf({ db, tenant, signal }: JobContext, uid: string) {
  for (;;) {
    signal.throwIfAborted()
    const version = await versionStore.byUid(db, tenant, uid)
    const app = version && (await appStore.find(db, tenant, version.app))
    if (!version || !app) return undefined
    const examples = await exampleStore.all(db, tenant, uid)
    const after = await versionStore.find(db, tenant, version.app, version.id)
    if (after?.revision !== version.revision) continue
    const { name, description, culture } = app
    const wholeApp: WholeApp = {
      name,
      description,
      culture,
      versionId: version.id,
      content: version.content,
      examples,
    }
    return { app: wholeApp, version }
  }
}

export async function cancelTrainings(jobs: JobsOf, versions: readonly Input[]): Promise<void> {
  for (const { uid } of versions) await jobs.cancel(train, uid)
}

/**
 * Deletes models that no version and no slot of an app uses. During a training there may be a model that is not in use yet:
 * the end of the training enqueues this job again.
 */
export const forgetOld = job<{ readonly app: string }>('forgetOld', {
  async run({ app }, { db, tenant, blobs }) {
    const { items } = await blobs.list(modelKey(app, ''), { limit: 1_000 })
    if (items.length === 0) return
    if (await store.isTraining(db, tenant, app)) return
    const used = await modelsInUse(db, tenant, app)
    for (const { key } of items) if (!used.has(key)) await blobs.delete(key)
  },
})

interface Deleted {
  readonly app: string
  readonly versions: readonly string[]
  /** Whether the app itself was deleted. */
  readonly isWhole: boolean
}

const batch = 5_000

/** Deletes utterances, and logs, of deleted versions and apps. */
export const clearAway = job<Deleted>('clearAway', {
  async run({ app, versions, isWhole }, { tenant, transaction, signal }) {
    for (const uid of versions)
      while (!signal.aborted && (await transaction((db) => exampleStore.clear(db, tenant, uid, batch))) > 0);
    if (isWhole) await transaction((db) => logStore.clear(db, tenant, app))
    return async (_, jobs) => void (await jobs.enqueue(forgetOld, { app }, { key: app }))
  },
})
