import { randomBytes } from 'node:crypto'
import { type Database, dropDatabase, openDatabase } from '@icosa/kernel'

/** Creates a separate database on a shared server. */
export async function createDatabase(serverUrl: string): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `icosa_testing_${process.pid}_${randomBytes(4).toString('hex')}`
  const onServer = async (work: (server: Database) => Promise<unknown>) => {
    const server = openDatabase({ url: serverUrl, maxConnections: 1, onError: () => {} })
    await work(server).finally(() => server.close())
  }
  await onServer((server) => server.script(`create database "${name}"`))
  return {
    url: Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href,
    drop: () => onServer((server) => dropDatabase(server, name)),
  }
}
