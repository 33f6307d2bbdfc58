/** A node in a separate process, with the given master keys: `node node.ts '{"databaseUrl":...,"masterKeys":[...]}'`. */
import { configurationStores } from '@icosa/configuration-stores'
import { identityConnect } from '@icosa/identity-connect'
import { jobScheduler } from '@icosa/job-scheduler'
import { type Service, sealedColumnsOf, startNode } from '@icosa/kernel'
import { resourceGroups } from '@icosa/resource-groups'
import { testNode } from '@icosa/testing'
import { masterKeyVault } from '@icosa/tokens'

export interface RotationNode {
  readonly databaseUrl: string
  readonly blobs: string
  readonly port: number
  /** In base64. */
  readonly masterKeys: readonly string[]
}

export const services: readonly Service[] = [identityConnect(), configurationStores(), jobScheduler(), resourceGroups()]

if (import.meta.main) {
  const { databaseUrl, blobs, port, masterKeys }: RotationNode = JSON.parse(process.argv[2] ?? '{}')
  const node = await startNode({
    ...testNode(services, databaseUrl, blobs),
    vault: masterKeyVault({
      masterKeys: masterKeys.map((key) => Buffer.from(key, 'base64')),
      sealed: () => sealedColumnsOf(services),
    }),
    api: { host: '127.0.0.1', port },
    worker: { concurrency: 16 },
  })
  const key = 'rotation/blob'
  await node.platform.blobs.put(key, Buffer.from('kept'))
  const blob = await node.platform.blobs.signedUrl(key, { method: 'GET', expiresInSeconds: 3_600 })
  process.send?.({ url: node.url, blob })
  process.once('SIGTERM', async () => {
    await node.stop()
    process.disconnect?.()
  })
  process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
}
