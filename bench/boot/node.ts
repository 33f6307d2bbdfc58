/** A node with synthetic services, API and worker: `start.js <database> <folder> <services> <operations>`. */
import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { blobStore } from '@icosa/blobs'
import { guardedFetch } from '@icosa/fetch'
import { startNode } from '@icosa/kernel'
import { createLog, openTelemetry } from '@icosa/telemetry'
import { jwtTokens, masterKeyVault } from '@icosa/tokens'
import { syntheticServices } from './services.ts'

const [, , databaseUrl = '', folder = '', services = '20', operations = '50'] = process.argv

const node = await startNode({
  services: syntheticServices(Number(services), Number(operations)),
  databaseUrl,
  maxConnections: 10,
  vault: masterKeyVault({ masterKeys: [Buffer.alloc(32, 1)], sealed: () => [] }),
  log: createLog({ level: 'warn' }),
  telemetry: openTelemetry(),
  clock: 'system',
  blobs: blobStore({ directory: folder }),
  tokens: jwtTokens(),
  fetch: () => guardedFetch({}),
  api: { host: '127.0.0.1', port: 0 },
  worker: { concurrency: 32 },
  drainMs: 0,
})
process.send?.({ routes: node.routes.length, cpuMs: process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000 })
flushCompileCache()
await once(process, 'disconnect')
process.exit()
