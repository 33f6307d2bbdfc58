import { sqlDatabases } from '@icosa/sql-databases'
import { startProxy, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { defaultSettings } from '../../services/sql-databases/src/settings.ts'
import { startReceiver } from '../../services/sql-databases/src/wal-archive/receiver.ts'
import { archivedHost } from './archived-host.ts'

test('a problem of the WAL receiver is cleared once it receives again', async () => {
  await using host = await archivedHost()
  await using proxy = await startProxy(host.archiveUrl)
  await using app = await startTestApp(sqlDatabases(defaultSettings))
  const receiver = startReceiver(app.platform, proxy.url)
  await using _ = { [Symbol.asyncDispose]: () => receiver.stop() }
  const problem = () => {
    receiver.ensure()
    return receiver.problem()
  }
  proxy.become('refusing')
  await expect.poll(problem).toBeDefined()
  proxy.become('through')
  await expect.poll(problem, { timeout: 30_000 }).toBeUndefined()
})
