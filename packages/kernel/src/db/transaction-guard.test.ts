import { execFileSync, spawn } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase, example, startTestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notes } from '../../../testing/src/example/notes/contract.ts'
import type { Handler } from '../implement.ts'
import { type Database, openDatabase, sql } from './db.ts'

let database: Database
let close: () => Promise<void>
const server = createServer((_, response) => response.end())

beforeAll(async () => {
  const testDatabase = await createTestDatabase([])
  database = openDatabase({ url: testDatabase.url, maxConnections: 2, checkTransactions: true, onError: () => {} })
  await database.script('create table things (id int)')
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = async () => {
    await database.close()
    await testDatabase[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  }
})
afterAll(() => close())

const port = () => (server.address() as AddressInfo).port
const url = () => `http://127.0.0.1:${port()}/`

const outside: Readonly<Record<string, { readonly violation: string; readonly work: () => unknown }>> = {
  'a child process': { violation: 'spawn', work: () => once(spawn('true'), 'exit') },
  'a synchronous child process': { violation: 'execFileSync', work: () => execFileSync('true') },
  'a file': { violation: 'readFile', work: () => readFile('/dev/null') },
  'a synchronous file access': { violation: 'readFileSync', work: () => readFileSync('/dev/null') },
  'a file access with errors ignored': { violation: 'stat', work: () => stat('/dev/null').catch(() => {}) },
  'a DNS lookup': { violation: 'lookup', work: () => lookup('localhost') },
  'a socket': { violation: 'connect', work: () => once(connect(port(), '127.0.0.1').end().resume(), 'close') },
  fetch: { violation: 'a request', work: () => fetch(url()).then((answer) => answer.text()) },
  'an HTTP request': { violation: 'connect', work: () => once(request(url(), { agent: false }).end(), 'response') },
}

for (const [what, { violation, work }] of Object.entries(outside)) {
  test(`${what} in a transaction fails and rolls it back, but not before or after it`, async () => {
    await work()
    const failing = database.transaction(async (db) => {
      await db.run(sql`insert into things values (1)`)
      await work()
    })
    await expect(failing).rejects.toThrow(`\`${violation}\` while a transaction is open`)
    expect(await database.many(sql`select * from things`)).toEqual([])
    await work()
  })
}

test('a request over a keep-alive connection is detected', async () => {
  for (let time = 0; time < 2; time++) await (await fetch(url())).text()
  const failing = database.transaction(async () => (await fetch(url())).text())
  await expect(failing).rejects.toThrow('`a request` while a transaction is open')
})

test('concurrent work outside a transaction does not fail it', async () => {
  const busy = (async () => {
    for (let time = 0; time < 20; time++) await Promise.all([readFile('/dev/null'), fetch(url())])
  })()
  const working = database.transaction(async (db) => {
    for (let time = 0; time < 5; time++) {
      await sleep(5)
      await db.run(sql`select 1`)
    }
    return 'done'
  })
  expect(await working).toBe('done')
  await busy
})

test('in tests, a handler with I/O in its transaction fails; `withPreparation` is the place for it', async () => {
  const [api] = example.apis
  const { handlers = {} } = api.resources.notes ?? {}
  const careless: Handler = async (input, context) => {
    await readFile('/dev/null')
    return (handlers.createNote as Handler)(input, context)
  }
  const resources = { notes: { contract: notes, handlers: { ...handlers, createNote: careless } } }
  await using app = await startTestApp({ ...example, apis: [{ ...api, resources }] })
  const writer = app.client(notes, { headers: { 'x-api-key': await app.key('ada') } })
  await expect(writer.createNote({ body: { title: 'a', text: '' } })).rejects.toMatchObject({ status: 500 })

  await app.platform.blobs.put('example/ada/letter', Buffer.from('Dear all'))
  const imported = await writer.importNote({ body: { title: 'A letter', upload: 'letter' } })
  expect(imported).toMatchObject({ status: 201, body: { title: 'A letter', text: 'Dear all' } })
  expect((await writer.listNotes({})).body.notes).toHaveLength(1)
})

test('another database connection opened during a transaction does not fail it', async () => {
  await using testDatabase = await createTestDatabase([])
  const fresh = openDatabase({ url: testDatabase.url, maxConnections: 2, checkTransactions: true, onError: () => {} })
  const both = fresh.transaction(async (db) => [await db.one(sql`select 1 as n`), await fresh.one(sql`select 2 as n`)])
  expect(await both).toEqual([{ n: 1 }, { n: 2 }])
  await fresh.close()
})
