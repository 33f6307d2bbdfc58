import { randomBytes } from 'node:crypto'
import { openDatabase } from '@icosa/kernel'

/** A database of its own on a server that others use, too. */
export async function createDatabase(serverUrl: string): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `icosa_testing_${process.pid}_${randomBytes(4).toString('hex')}`
  const run = async (statement: string) => {
    const server = openDatabase({ url: serverUrl, maxConnections: 1, onError: () => {} })
    await server.script(statement).finally(() => server.close())
  }
  await run(`create database "${name}"`)
  return {
    url: Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href,
    drop: () => run(`drop database if exists "${name}" with (force)`),
  }
}
