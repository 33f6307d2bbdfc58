import { createReadStream, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { openDatabase, systemClock } from '@icosa/kernel'
import { openInstances } from '../index.ts'

/** Runs functions, which try to leave their sandbox, as the current user, and sends the responses by path. */
const [, , folder = '', url = '', source = '', revision = '', ...paths] = process.argv
writeFileSync(join(folder, 'secret'), 'of the user', { mode: 0o644 })
let connections = 0
const server = createServer(() => connections++).listen(join(folder, 'listening'))
const database = openDatabase({ url, maxConnections: 4, onError: console.error })
const instances = await openInstances({
  database,
  node: 'of an ordinary user',
  clock: systemClock,
  artifacts: { open: async (_, key) => createReadStream(join(source, key)) },
  sandbox: { runtime: 'runsc' },
  folder: join(folder, 'functions'),
  log: () => {},
  onError: console.error,
})
const answers: Record<string, unknown> = {}
for (const path of paths) {
  const call = { path: path.replace('FOLDER', folder), headers: {}, body: Buffer.alloc(0) }
  answers[path] = await instances.call(JSON.parse(revision), call, path).catch(String)
}
await instances.close()
await database.close()
server.close()
process.send?.({ answers, connections }, () => process.disconnect())
