import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { openDatabase, sql } from '@icosa/kernel'
import { createTestDatabase, startPgBouncer, testServerUrl, withoutPgBouncer } from '@icosa/testing'
import { expect, test } from 'vitest'
import { advice } from './advice.ts'

/** Advice for two failing statements: the first tries to connect, the second finds the circuit breaker open. */
async function adviceAt(url: string): Promise<readonly (string | undefined)[]> {
  const database = openDatabase({ url, maxConnections: 1, limits: { connectMs: 500, waitMs: 500 }, onError: () => {} })
  try {
    const ask = () => database.one(sql`select 1 as one`).then(() => undefined, advice)
    return [await ask(), await ask()]
  } finally {
    await database.close()
  }
}

/** A server that answers every connection with one PostgreSQL error. */
async function refusing(code: string, message: string) {
  const server = createServer((socket) => {
    const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
    const head = Buffer.from([0x45, 0, 0, 0, fields.length + 4])
    socket.on('error', () => {}).once('data', () => socket.end(Buffer.concat([head, fields])))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `postgres://icosa:secret@127.0.0.1:${port}/icosa`,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

test.each([
  ['53300', 'too many connections for role "icosa"', 'no connection left for this node'],
  ['28P01', 'password authentication failed for user "icosa"', 'refuses the password'],
  ['28000', 'no pg_hba.conf entry for host', 'pg_hba.conf admits this node'],
  ['3D000', 'database "icosa" does not exist', 'create it'],
  ['57P03', 'the database system is starting up', 'start the node again in a moment'],
  ['08P01', 'no more connections allowed (max_client_conn)', 'max_client_conn'],
])('a server that refuses with %s is reported in a sentence', async (code, message, expected) => {
  await using server = await refusing(code, message)
  for (const sentence of await adviceAt(server.url)) {
    expect(sentence).toContain(expected)
    expect(sentence).not.toContain('secret')
  }
})

test.each([
  ['a closed port', 'postgres://icosa@127.0.0.1:9/icosa', 'No server is listening at DATABASE_URL'],
  ['an unknown host', 'postgres://icosa@no-such-host.invalid/icosa', 'cannot be'],
  ['a server without TLS', `${testServerUrl}?sslmode=require`, 'leave `sslmode` out'],
])('%s is reported in a sentence', async (_, url, expected) => {
  for (const sentence of await adviceAt(url)) expect(sentence).toContain(expected)
})

test('the real connection limit of a role is reported in a sentence', async () => {
  await using testDatabase = await createTestDatabase([])
  const role = `icosa_limited_${process.pid}`
  const server = openDatabase({ url: testServerUrl, maxConnections: 1, onError: () => {} })
  await server.script(`create role ${role} login password 'limited' connection limit 0`)
  try {
    const url = Object.assign(new URL(testDatabase.url), { username: role, password: 'limited' }).href
    for (const sentence of await adviceAt(url)) expect(sentence).toContain('lower ICOSA_DB_CONNECTIONS')
  } finally {
    await server.script(`drop role ${role}`)
    await server.close()
  }
})

test.skipIf(withoutPgBouncer)('a worker behind a pooler reports the missing setting', async () => {
  await using testDatabase = await createTestDatabase([])
  await using bouncer = await startPgBouncer(testDatabase.url)
  const database = openDatabase({ url: bouncer.url, maxConnections: 1, onError: () => {} })
  expect(await database.listen({ news: () => {} }).then(() => undefined, advice)).toContain('ICOSA_DATABASE_DIRECT_URL')
  await database.close()
})

test('a folder of another user is distinguished from a privileged port', () => {
  const refused = (syscall: string) => advice(Object.assign(new Error('EACCES'), { code: 'EACCES', syscall }))
  expect(refused('listen')).toBe('EACCES: choose a port above 1023 with --port.')
  expect(refused('open')).toBe('EACCES: start as the user who owns that folder, or name one of your own with --data.')
})
