import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, syncClock } from '@icosa/kernel'
import { countBlobs, limitsKnownMs } from '@icosa/platform/limits'
import { blobsFor } from '../blobs.ts'
import type { Config } from '../config.ts'

/** Counts a tenant's existing blobs when a limit is set, once all nodes count its new ones. */
export async function countBytes(
  config: Config,
  database: Database,
  owner: { readonly tenant: string; readonly service: string },
): Promise<void> {
  await sleep(2 * limitsKnownMs)
  await countBlobs(database, await blobsFor(config), owner, (await syncClock(database)).now())
}
