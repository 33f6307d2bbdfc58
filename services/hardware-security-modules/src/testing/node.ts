/** A node in its own process, which a test kills. Sends its URL, a key and the id of its module. */

import { client } from '@icosa/client'
import { createKey, startNode } from '@icosa/kernel'
import { createLog } from '@icosa/telemetry'
import { testNode } from '@icosa/testing'
import { modules } from '../contract.ts'
import { hardwareSecurityModules } from '../index.ts'
import { serviceName } from '../names.ts'
import { paramsOf, plain, versioned } from './app.ts'

export interface NodeArguments {
  readonly databaseUrl: string
  readonly blobs: string
  readonly folder: string
  readonly checkReplies?: boolean
}

const { databaseUrl, blobs, folder, checkReplies = true }: NodeArguments = JSON.parse(process.argv[2] ?? '{}')
const options = testNode([hardwareSecurityModules({ folder })], databaseUrl, blobs)
const node = await startNode({
  ...options,
  log: createLog({ level: 'fatal' }),
  worker: { concurrency: 4 },
  checkReplies,
})
const { database, clock } = node.platform
const { key } = await createKey(database, clock, { tenant: 'acme', name: `node ${process.pid}`, permissions: ['*'] })
const manager = client(modules, {
  baseUrl: `${node.url}/${serviceName}`,
  headers: { authorization: `Bearer ${key}` },
})
const params = paramsOf('acme', 'surviving')
await manager.createOrUpdate({ ...versioned, params, body: plain })
for (;;) {
  const { provisioningState, endpoint = '' } = (await manager.get({ ...versioned, params })).body.properties
  if (provisioningState === 'Succeeded') {
    process.send?.({ url: node.url, key, moduleId: endpoint.split('/').at(-1) })
    break
  }
  await new Promise((resolve) => setTimeout(resolve, 50))
}
process.once('disconnect', () => process.exit()) // no orphans, even if the parent was killed
