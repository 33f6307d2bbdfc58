import type { Readable } from 'node:stream'
import { type JobContext, notFound } from '@icosa/kernel'
import { demandLength } from '../restic/whole.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { repositoryOf } from '../vaults/repository.ts'
import * as vaults from '../vaults/store.ts'
import { continuousOf, timeIn, windowOf } from './continuous.ts'
import type { PointRow } from './store.ts'

/** Streams a recovery point: a continuous one as of the given time, or else the latest. */
export async function contentOf(
  point: PointRow,
  at: Date | undefined,
  context: JobContext<ServiceRuntime>,
): Promise<Readable> {
  const { db, runtime, tenant, tenantVault, clock, signal } = context
  if (point.continuous) {
    const time = at ?? timeIn(point, {}, await windowOf(point, runtime, db, clock.now()))
    return continuousOf(runtime, point.resourceType).readAt(point.id, time as Date, context)
  }
  const vault = (await vaults.find(db, tenant, point.vault)) ?? notFound('vault', point.vault)
  const content = await runtime.restic.read(
    repositoryOf(vault, await tenantVault()),
    point.snapshot,
    point.attempt,
    signal,
  )
  return demandLength(content, point.bytes)
}
