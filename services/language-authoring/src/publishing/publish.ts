import { type Context, Failure } from '@icosa/kernel'
import type { App, Slot } from '../apps/store.ts'
import * as appStore from '../apps/store.ts'
import { unknown } from '../shapes/failures.ts'
import { forgetOld } from '../training/jobs.ts'
import * as versionStore from '../versions/store.ts'
import * as store from './store.ts'

/** How long nodes may still use the previous model of a slot. */
const graceMs = 60_000

export async function publish(context: Context, app: App, versionId: string, slot: Slot['slot']): Promise<Slot> {
  const { db, caller, clock, jobs } = context
  const version = (await versionStore.find(db, caller.tenant, app.id, versionId)) ?? unknown('version', versionId)
  if (version.model === null)
    throw new Failure(
      'invalid',
      `The version '${versionId}' was never trained: train it, and wait until the training has succeeded.`,
      {
        code: 'BadArgument',
      },
    )
  const now = clock.now()
  const published = await store.put(db, caller.tenant, version, { slot, sentimentAnalysis: app.sentimentAnalysis }, now)
  if (slot === 'production') await appStore.update(db, caller.tenant, app.id, { activeVersion: versionId })
  await jobs.enqueue(forgetOld, { app: app.id }, { key: app.id, at: new Date(now.getTime() + graceMs) })
  return published
}
