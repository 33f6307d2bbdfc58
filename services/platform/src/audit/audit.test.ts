import { type Database, sql } from '@icosa/kernel'
import { example, startProxy, startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operating } from '../index.ts'
import { auditKeyPurpose } from './audit.ts'
import { type AuditRow, chainChecker, chained, hashOf } from './chain.ts'
import { newest, rowsAfter } from './store.ts'
import { verifyAudit } from './verify.ts'

let app: TestApp
let database: Database
beforeAll(async () => {
  app = await startTestApp({ services: [example, operating] })
  database = app.platform.database
})
afterAll(() => app[Symbol.asyncDispose]())

const key = () => app.platform.vault.derive(auditKeyPurpose)
const keptSince = new Date(0)
const problems = async () => (await verifyAudit(database, { key: key(), keptSince })).flatMap((one) => one.problems)

async function call(tenant: string, method: string, path: string, body?: object, permissions?: readonly string[]) {
  const headers = { 'x-api-key': await app.key(tenant, permissions), 'content-type': 'application/json' }
  const answer = await fetch(`${app.url}/example${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  await answer.arrayBuffer()
  return answer.status
}

const note = (tenant: string, title = 'A note') => call(tenant, 'POST', '/notes', { title, text: '' })

test('what changes something and what is refused is noted: who, from where, what, how it ended; what is read is not', async () => {
  expect(await note('ada')).toBe(201)
  expect(await call('ada', 'GET', '/notes')).toBe(200)
  expect(await call('ada', 'POST', '/notes', { title: '' })).toBe(400)
  expect(await call('ada', 'GET', '/notes', undefined, ['example:createNote'])).toBe(403)
  await fetch(`${app.url}/example/notes`, { method: 'POST' }) // a stranger could fill it
  await expect.poll(async () => (await newest(database, 'ada', 10)).length).toBe(3)
  const [refused, wrong, made] = await newest(database, 'ada', 10)
  expect(made).toMatchObject({
    ...{
      number: 1,
      tenant: 'ada',
      service: 'example',
      operation: 'createNote',
      status: 201,
      resource: '/example/notes',
    },
    ...{ address: '127.0.0.1', caller: expect.stringMatching(/^key_/), previous: null },
  })
  expect(wrong).toMatchObject({ number: 2, status: 400, previous: made?.hash })
  expect(refused).toMatchObject({ number: 3, operation: 'listNotes', status: 403 })
  expect(await problems()).toEqual([])
})

test('many at once, of two tenants and two nodes: one chain each, without a gap', async () => {
  await using second = await startTestApp({ services: [example, operating], databaseUrl: app.databaseUrl })
  const send = async (url: string, tenant: string) => {
    const headers = { 'x-api-key': await app.key(tenant), 'content-type': 'application/json' }
    const body = JSON.stringify({ title: 'A note', text: '' })
    for (let n = 0; n < 20; n++) await (await fetch(`${url}/example/notes`, { method: 'POST', headers, body })).text()
  }
  const urls = [app.url, second.url]
  await Promise.all(['bob', 'cleo'].flatMap((tenant) => urls.map((url) => send(url, tenant))))
  for (const tenant of ['bob', 'cleo']) {
    await expect.poll(async () => (await rowsAfter(database, tenant, 0, 100)).length).toBe(40)
    expect((await rowsAfter(database, tenant, 0, 100)).map(({ number }) => number)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 1),
    )
  }
  expect(await problems()).toEqual([])
})

test('what was asked while the database was away is noted when it is back', async () => {
  await using proxy = await startProxy(app.databaseUrl)
  await using node = await startTestApp({ services: [example, operating], databaseUrl: proxy.url })
  const headers = { 'x-api-key': await app.key('gwen'), 'content-type': 'application/json' }
  const body = JSON.stringify({ title: 'A note', text: '' })
  const post = async () => (await fetch(`${node.url}/example/notes`, { method: 'POST', headers, body })).status
  expect(await post()).toBe(201)
  proxy.become('refusing')
  expect(await post()).toBe(503)
  proxy.become('through')
  const noted = async () => (await rowsAfter(database, 'gwen', 0, 10)).map(({ status }) => status)
  await expect.poll(noted, { timeout: 15_000 }).toEqual([201, 503])
})

/** Does something to the log, looks what is found, and undoes it. */
async function tampered(change: string): Promise<string[]> {
  await database.script(
    'create table kept_audit as select * from platform.audit; create table kept_heads as select * from platform.audit_heads',
  )
  await database.script(change)
  const found = (await problems()).map(({ tenant, number, what }) => `${tenant} ${number} ${what}`)
  await database.script(`truncate platform.audit, platform.audit_heads; insert into platform.audit select * from kept_audit;
    insert into platform.audit_heads select * from kept_heads; drop table kept_audit, kept_heads`)
  return found
}

const of = `tenant = 'bob' and number`

test.each([
  ['a row that was changed', `update platform.audit set caller = 'somebody' where ${of} = 5`, ['bob 5 was changed']],
  [
    'a row that was removed',
    `delete from platform.audit where ${of} = 5`,
    ['bob 6 comes after 4: those between are gone'],
  ],
  [
    'rows that were reordered',
    `update platform.audit set number = case number when 5 then -6 else -5 end where ${of} in (5, 6);
      update platform.audit set number = -number where ${of} in (-5, -6)`,
    [
      'bob 5 was changed',
      'bob 5 does not follow 4',
      'bob 6 was changed',
      'bob 6 does not follow 5',
      'bob 7 does not follow 6',
    ],
  ],
  [
    'the last rows cut off',
    `delete from platform.audit where ${of} > 38`,
    ['bob 40 is the end, but the last row is 38'],
  ],
  [
    'the first rows cut off',
    `delete from platform.audit where ${of} < 3`,
    ['bob 3 comes first, but those before it are not old enough to be gone'],
  ],
  ['all rows gone', `delete from platform.audit where tenant = 'bob'`, ['bob 40 is the end, but the last row is gone']],
  [
    'the end gone',
    `delete from platform.audit_heads where tenant = 'bob'`,
    ['bob 40 is there, but the end of the chain is gone'],
  ],
  [
    'a row of another tenant',
    `update platform.audit set tenant = 'eve' where ${of} = 40`,
    ['bob 40 is the end, but the last row is 39', expect.stringContaining('eve 40')],
  ],
])('verify finds %s', async (_, change, expected) => {
  const found = await tampered(change)
  expect(found).toEqual(expect.arrayContaining(expected))
  expect(await problems()).toEqual([])
})

test('somebody with the database alone cannot make a row that fits', async () => {
  const [row] = await rowsAfter(database, 'bob', 39, 1)
  if (!row) throw new Error('there is none')
  const forged = hashOf(Buffer.alloc(32), { ...row, caller: 'somebody' }).toString('hex')
  const found = await tampered(`update platform.audit set caller = 'somebody', hash = '\\x${forged}' where ${of} = 40;
    update platform.audit_heads set hash = '\\x${forged}' where tenant = 'bob'`)
  expect(found).toEqual(['bob 40 was changed'])
})

test('what age took is not missed', async () => {
  const found = await database.one<{ at: Date }>(
    sql`select max(at) as at from platform.audit where tenant = 'bob' and number < 10`,
  )
  await database.script(
    `create table kept_audit as select * from platform.audit; delete from platform.audit where ${of} < 10`,
  )
  const late = { key: key(), keptSince: new Date(found.at.getTime() + 1), tenant: 'bob' }
  expect((await verifyAudit(database, late)).flatMap((one) => one.problems)).toEqual([])
  await database.script(
    'truncate platform.audit; insert into platform.audit select * from kept_audit; drop table kept_audit',
  )
})

test('what age took from between younger rows is not missed either, and what is young is', () => {
  const now = Date.now()
  const record = { caller: 'c', address: 'a', service: 's', operation: 'o', resource: '/', status: 200, requestId: 'r' }
  const at = [5, 1, 2, 6, 7].map((ms) => new Date(now + ms)) // two nodes: the second's rows come late
  const [first, , , fourth, fifth] = chained(
    key(),
    undefined,
    at.map((one) => ({ ...record, tenant: 'eve', at: one })),
  ) as [AuditRow, AuditRow, AuditRow, AuditRow, AuditRow]
  const problemsOf = (...rows: AuditRow[]) => {
    const checker = chainChecker(key(), 'eve', new Date(now + 5))
    for (const row of rows) checker.add(row)
    return checker.end(fifth).problems.map(({ what }) => what)
  }
  expect(problemsOf(first, fourth, fifth)).toEqual([])
  expect(problemsOf(first, fifth)).toEqual(['comes after 1: those between are gone'])
})
