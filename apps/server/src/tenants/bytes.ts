import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, syncClock } from '@icosa/kernel'
import { countBlobs, limitsKnownMs } from '@icosa/platform/limits'
import { blobsFor } from '../blobs.ts'
import type { Config } from '../config.ts'

/** What a tenant has already when a limit is set. First all nodes learn that what it writes from now on is counted. */
export async function countBytes(
  config: Config,
  database: Database,
  owner: { readonly tenant: string; readonly service: string },
): Promise<void> {
  await sleep(2 * limitsKnownMs)
  await countBlobs(database, await blobsFor(config), owner, (await syncClock(database)).now())
}
