/** A node that serves one function in a given kind of sandbox. */
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openInstances } from '@icosa/functions/instances'
import { openDatabase, systemClock } from '@icosa/kernel'
import type { RuntimeName } from '@icosa/sandbox'

const [, , url = '', folder = '', runtime, revision = ''] = process.argv
const instances = await openInstances({
  database: openDatabase({ url, maxConnections: 4, onError: console.error }),
  node: `bench-${process.pid}`,
  clock: systemClock,
  artifacts: { open: async (_, key) => createReadStream(join(folder, key)) },
  sandbox: { runtime: runtime as RuntimeName },
  folder,
  log: () => {},
  onError: console.error,
})
const served = JSON.parse(revision)
let calls = 0
const server = createServer((request, reply) => {
  void instances.serve(served, request, reply, { path: request.url ?? '/', id: `call-${calls++}` })
})
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.once('disconnect', () => void instances.close().finally(() => process.exit())) // no orphans
