import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { openDatabase, systemClock } from '@icosa/kernel'
import type { RuntimeName } from '@icosa/sandbox'
import { openInstances } from '../index.ts'

/** A node to be killed, which reports a call of its instance. */
const [, , url = '', folder = '', runtime, revision = ''] = process.argv
const instances = await openInstances({
  database: openDatabase({ url, maxConnections: 4, onError: console.error }),
  node: 'killed',
  clock: systemClock,
  artifacts: { open: async (_, key) => createReadStream(join(folder, key)) },
  sandbox: { runtime: runtime as RuntimeName },
  folder,
  log: () => {},
  onError: console.error,
})
process.send?.(await instances.call(JSON.parse(revision), { path: '/', headers: {}, body: Buffer.alloc(0) }, 'one'))
