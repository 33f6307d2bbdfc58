/** A node in a separate process, for the test that kills it while it encrypts the values of a store. */

import { configurationStores } from '@icosa/configuration-stores'
import { hardwareSecurityModules } from '@icosa/hardware-security-modules'
import { startNode } from '@icosa/kernel'
import { createLog } from '@icosa/telemetry'
import { testNode } from '@icosa/testing'

const { databaseUrl, blobs, folder } = JSON.parse(process.argv[2] ?? '{}')
const services = [configurationStores(), hardwareSecurityModules({ folder })]
await startNode({
  ...testNode(services, databaseUrl, blobs),
  log: createLog({ level: 'fatal' }),
  worker: { concurrency: 4 },
})
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
