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
 * Learns what a version says, and puts it into one blob beside the one in use; the last write exchanges the two. The name
 * of the blob ends in the hash of its content, and no two trainings use the same: what is unused stays so.
 */
export const train = job<Input, ServiceRuntime>('train', {
  async run({ uid }, context) {
    const { tenant, runtime, blobs, signal, clock, transaction } = context
    const found = await whole(context, uid)
    if (!found) return
    await transaction((db) => store.begin(db, tenant, uid))
    const { app, version } = found
    try {
      const bytes = await runtime.trainer.train(tenant, toDocument(app), signal)
      const hash = createHash('sha256').update(bytes).digest('hex')
      const model = modelKey(version.app, `${randomUUID()}-${hash}`)
      signal.throwIfAborted()
      await blobs.put(model, bytes)
      const trained = { model, revision: version.revision, examples: app.examples.length, now: clock.now() }
      return async (db, jobs) => {
        const isThere = await store.succeed(db, tenant, uid, trained)
        const at = new Date(clock.now().getTime() + (isThere ? 60_000 : 0))
        await jobs.enqueue(forgetOld, { app: version.app }, { key: version.app, at })
      }
    } catch (error) {
      // What cannot be learnt will not be learnt by trying again.
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

/** A version with its utterances, as both were at one moment. */
async function whole({ db, tenant, signal }: JobContext, uid: string) {
  for (;;) {
    signal.throwIfAborted()
    const version = await versionStore.byUid(db, tenant, uid)
    const app = version && (await appStore.find(db, tenant, version.app))
    if (!version || !app) return undefined
    const examples = await exampleStore.all(db, tenant, uid)
    const after = await versionStore.find(db, tenant, version.app, version.id)
    if (after?.revision !== version.revision) continue
    const { name, description, culture } = app
    const written: WholeApp = {
      name,
      description,
      culture,
      versionId: version.id,
      content: version.content,
      examples,
    }
    return { app: written, version }
  }
}

export async function cancelTrainings(jobs: JobsOf, versions: readonly Input[]): Promise<void> {
  for (const { uid } of versions) await jobs.cancel(train, uid)
}

/**
 * Deletes models that no version and no slot of an app has any more. While the app is trained, a model may be there that
 * is not in use yet: then the end of the training calls this again.
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

interface Gone {
  readonly app: string
  readonly versions: readonly string[]
  /** Whether the app itself is gone. */
  readonly isWhole: boolean
}

const batch = 5_000

/** Deletes what belonged to versions that are gone. */
export const clearAway = job<Gone>('clearAway', {
  async run({ app, versions, isWhole }, { tenant, transaction, signal }) {
    for (const uid of versions)
      while (!signal.aborted && (await transaction((db) => exampleStore.clear(db, tenant, uid, batch))) > 0);
    if (isWhole) await transaction((db) => logStore.clear(db, tenant, app))
    return async (_, jobs) => void (await jobs.enqueue(forgetOld, { app }, { key: app }))
  },
})
