import { type Database, sql } from '@icosa/kernel'
import { example, startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operating } from '../index.ts'
import { auditKeyPurpose } from './audit.ts'
import { type AuditRecord, type AuditRow, chainChecker, chained, hashOf, type KeptEnd } from './chain.ts'
import { eraseAudit } from './erase.ts'
import { append, heads, newest, rowsAfter } from './store.ts'
import { verifyAudit } from './verify.ts'

let app: TestApp
let database: Database
beforeAll(async () => {
  app = await startTestApp({ services: [example, operating] })
  database = app.platform.database
  const rows = (tenant: string) => Array.from({ length: 40 }, () => recordOf({ tenant, caller: 'key_1' }))
  await add(...rows('bob'), ...rows('cleo'))
})
afterAll(() => app[Symbol.asyncDispose]())

const key = () => app.platform.cellVault.derive(auditKeyPurpose)
const keptSince = new Date(0)
const problems = async (ends?: readonly KeptEnd[]) =>
  (await verifyAudit(database, { keys: [key()], keptSince, ends })).flatMap((chain) => chain.problems)

const blank = { subject: '', service: 's', operation: 'o', status: 200, requestId: 'r' }
const recordOf = (fields: Partial<AuditRecord>): AuditRecord => ({
  ...blank,
  ...{ tenant: '', at: new Date(), caller: '', address: '', resource: '/' },
  ...fields,
})
const add = (...records: AuditRecord[]) => database.transaction((db) => append(db, key(), records))

/** Changes the log, collects the problems that verification reports, and restores it. */
async function tampered(change: string, ends?: readonly KeptEnd[]): Promise<string[]> {
  await database.script(
    'create table kept_audit as select * from platform.audit; create table kept_heads as select * from platform.audit_heads',
  )
  await database.script(change)
  const reported = (await problems(ends)).map(({ tenant, number, what }) => `${tenant} ${number} ${what}`)
  await database.script(`truncate platform.audit, platform.audit_heads; insert into platform.audit select * from kept_audit;
    insert into platform.audit_heads select * from kept_heads; drop table kept_audit, kept_heads`)
  return reported
}

const of = `tenant = 'bob' and number`

test.each([
  ['a changed row', `update platform.audit set caller = 'mallory' where ${of} = 5`, ['bob 5 was changed']],
  [
    'a removed row',
    `delete from platform.audit where ${of} = 5`,
    ['bob 6 comes after 4: the rows between are missing'],
  ],
  [
    'reordered rows',
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
    'truncation at the end',
    `delete from platform.audit where ${of} > 38`,
    ['bob 40 is the end, but the last row is 38'],
  ],
  [
    'truncation at the start',
    `delete from platform.audit where ${of} < 3`,
    ['bob 3 comes first, but its predecessors are too young to have expired'],
  ],
  [
    'a chain without rows',
    `delete from platform.audit where tenant = 'bob'`,
    ['bob 40 is the end, but the last row is missing'],
  ],
  [
    'a missing head',
    `delete from platform.audit_heads where tenant = 'bob'`,
    ['bob 40 exists, but the head of the chain is missing'],
  ],
  [
    'an erasure without a proof',
    `update platform.audit set caller = '', address = '', resource = '', salt = null where ${of} = 5`,
    ['bob 5 was changed'],
  ],
  [
    'an erasure with a forged proof',
    `update platform.audit set caller = '', address = '', resource = '', salt = null, erased = hash where ${of} = 5`,
    ['bob 5 was changed'],
  ],
  ['a changed subject', `update platform.audit set subject = 'cleo' where ${of} = 5`, ['bob 5 was changed']],
  [
    'a row moved to another tenant',
    `update platform.audit set tenant = 'eve' where ${of} = 40`,
    ['bob 40 is the end, but the last row is 39', expect.stringContaining('eve 40')],
  ],
])('verify finds %s', async (_, change, expected) => {
  const reported = await tampered(change)
  expect(reported).toEqual(expect.arrayContaining(expected))
  expect(await problems()).toEqual([])
})

test('access to the database alone is not enough to forge a row', async () => {
  const [row] = await rowsAfter(database, 'bob', 39, 1)
  if (!row) throw new Error('no row')
  const forged = hashOf(Buffer.alloc(32), { ...row, caller: 'mallory' }).toString('hex')
  const reported = await tampered(`update platform.audit set caller = 'mallory', hash = '\\x${forged}' where ${of} = 40;
    update platform.audit_heads set hash = '\\x${forged}' where tenant = 'bob'`)
  expect(reported).toEqual(['bob 40 was changed'])
})

async function currentEnds(): Promise<KeptEnd[]> {
  return (await heads(database)).map(({ hash, ...end }) => ({ ...end, hash: hash.toString('hex') }))
}

test('recorded ends reveal a chain that was truncated with its head, or replaced entirely', async () => {
  const ends = await currentEnds()
  expect(await problems(ends)).toEqual([])
  const cut = await tampered(
    `delete from platform.audit where ${of} > 30; update platform.audit_heads as head set number = 30, hash = row.hash
      from platform.audit as row where row.tenant = 'bob' and row.number = 30 and head.tenant = 'bob'`,
    ends,
  )
  expect(cut).toEqual(['bob 40 was the recorded end, and is missing'])
  const removal = `delete from platform.audit where tenant = 'bob'; delete from platform.audit_heads where tenant = 'bob'`
  expect(await tampered(removal), 'undetected without them').toEqual([])
  expect(await tampered(removal, ends)).toEqual(['bob 40 was the recorded end, and is missing'])

  // Even with the key: a new, consistent chain.
  const rows = chained(
    key(),
    undefined,
    Array.from({ length: 40 }, () => recordOf({ tenant: 'bob' })),
  )
  const values = rows.map(
    (row) =>
      `('bob', ${row.number}, '${row.at.toISOString()}', '', '', 's', 'o', '/', 200, 'r', ${bytes(row.salt)},
        ${row.previousAt ? `'${row.previousAt.toISOString()}'` : 'null'}, ${bytes(row.previous)}, ${bytes(row.hash)})`,
  )
  const replacement = `${removal};
    insert into platform.audit (tenant, number, at, caller, address, service, operation, resource, status, request_id, salt,
      previous_at, previous, hash) values ${values};
    insert into platform.audit_heads values ('bob', 40, '${rows.at(-1)?.at.toISOString()}', ${bytes(rows.at(-1)?.hash)})`
  expect(await tampered(replacement)).toEqual([])
  expect(await tampered(replacement, ends)).toEqual(['bob 40 is not the recorded end: the chain was replaced'])
})

const bytes = (value: Buffer | null | undefined) => (value ? `'\\x${value.toString('hex')}'::bytea` : 'null')

test('personal fields of a deleted tenant are erased, also in acts of operators about it, and every chain still verifies', async () => {
  const act = { service: 'operator', operation: 'people disable', caller: 'operator root@host', requestId: 'act-1' }
  await add(
    recordOf({ tenant: 'hana', caller: 'key_hana', address: '192.0.2.7', resource: '/people/hana@example.com' }),
    recordOf({ ...act, resource: 'hana@example.com', status: 102 }), // before its tenant is known
    recordOf({ ...act, resource: 'hana@example.com', subject: 'hana' }),
    recordOf({ ...act, resource: 'bob@example.com', subject: 'bob', requestId: 'act-2' }),
  )
  await database.script(`insert into platform.audit select tenant, 2, at, 'key_old', address, service, operation, '/old', status,
    request_id, at, hash, '\\x00' from platform.audit where tenant = 'hana'`)
  const [, changed] = await rowsAfter(database, 'hana', 0, 2)
  await database.script(`update platform.audit_heads set number = 2, hash = '\\x00' where tenant = 'hana'`)
  expect(changed).toMatchObject({ caller: 'key_old' })

  expect(await eraseAudit(database, [key()], 'hana')).toBe(4)
  expect(await eraseAudit(database, [key()], 'hana'), 'a second time').toBe(0)
  const rows = await database.many<{ row: string }>(sql`select audit::text as row from platform.audit`)
  const text = rows.map(({ row }) => row).join('\n')
  for (const personal of ['hana@example.com', 'key_hana', '192.0.2.7', 'key_old']) expect(text).not.toContain(personal)
  expect(text).toContain('bob@example.com')
  const acts = await newest(database, 'hana', 10)
  expect(acts).toContainEqual(
    expect.objectContaining({ caller: 'operator root@host', operation: 'people disable', status: 200, resource: '' }),
  )
  expect(await problems(), 'an erasure does not hide a change').toEqual([
    { tenant: 'hana', number: 2, what: 'was changed' },
  ])
  await database.script(`delete from platform.audit where tenant = 'hana' and number = 2;
    update platform.audit_heads as head set number = 1, hash = row.hash from platform.audit as row
      where row.tenant = 'hana' and head.tenant = 'hana'`)
  expect(await problems()).toEqual([])
  const reported = await tampered(`update platform.audit set operation = 'other' where tenant = 'hana'`)
  expect(reported, 'remaining fields of an erased row are protected').toEqual(['hana 1 was changed'])
})

test('rows of a version without salt verify and can be erased', async () => {
  const record = { ...recordOf({ tenant: 'ivan', caller: 'key_ivan' }), number: 1, previousAt: null, previous: null }
  const hash = hashOf(key(), { ...record, salt: null, erased: null })
  const { at } = record
  await database.script(`insert into platform.audit (tenant, number, at, caller, address, service, operation, resource, status,
      request_id, hash) values ('ivan', 1, '${at.toISOString()}', 'key_ivan', '', 's', 'o', '/', 200, 'r', ${bytes(hash)});
    insert into platform.audit_heads values ('ivan', 1, '${at.toISOString()}', ${bytes(hash)})`)
  expect(await problems()).toEqual([])
  expect(await eraseAudit(database, [key()], 'ivan')).toBe(1)
  expect(await newest(database, 'ivan', 1)).toMatchObject([{ caller: '', hash }])
  expect(await problems()).toEqual([])
})

test('expired rows are not missed', async () => {
  const { at } = await database.one<{ at: Date }>(
    sql`select max(at) as at from platform.audit where tenant = 'bob' and number < 10`,
  )
  await database.script(
    `create table kept_audit as select * from platform.audit; delete from platform.audit where ${of} < 10`,
  )
  const late = { keys: [key()], keptSince: new Date(at.getTime() + 1), tenant: 'bob' }
  expect((await verifyAudit(database, late)).flatMap((chain) => chain.problems)).toEqual([])
  await database.script(
    'truncate platform.audit; insert into platform.audit select * from kept_audit; drop table kept_audit',
  )
})

test('expired rows between younger ones are not missed, young rows are', () => {
  const now = Date.now()
  const record = { ...blank, caller: 'c', address: 'a', resource: '/' }
  const times = [5, 1, 2, 6, 7].map((ms) => new Date(now + ms)) // two nodes: the second's rows come late
  const [first, , , fourth, fifth] = chained(
    key(),
    undefined,
    times.map((at) => ({ ...record, tenant: 'eve', at })),
  ) as [AuditRow, AuditRow, AuditRow, AuditRow, AuditRow]
  const problemsOf = (...rows: AuditRow[]) => {
    const checker = chainChecker('eve', { keys: [key()], keptSince: new Date(now + 5) })
    for (const row of rows) checker.add(row)
    return checker.end(fifth).problems.map(({ what }) => what)
  }
  expect(problemsOf(first, fourth, fifth)).toEqual([])
  expect(problemsOf(first, fifth)).toEqual(['comes after 1: the rows between are missing'])
})
