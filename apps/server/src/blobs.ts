import { blobStore } from '@icosa/blobs'
import { type Blobs, systemClock } from '@icosa/kernel'
import { UsageError } from '@icosa/module'
import type { Config } from './config.ts'
import { settledConfig } from './dev/settings.ts'

/** Opens the nodes' blob store for a command. It cannot sign URLs. */
export async function blobsFor(config: Config): Promise<Blobs> {
  const { blobs } = await settledConfig(config)
  if (!blobs) throw new UsageError('Set ICOSA_BLOBS to the folder or bucket in which the nodes keep their blobs.')
  const unsigned = { clock: systemClock, signingKey: new Uint8Array(32), publicUrl: () => '' }
  return (await blobStore(blobs)(unsigned)).blobs
}
