import {
  createKey,
  createSigningSecret,
  type Database,
  type Migration,
  migrate,
  openDatabase,
  sql,
  tagOf,
  tagOfKey,
  tagOfSigningId,
} from '@icosa/kernel'
import { example, startTestApp, testServerUrl } from '@icosa/testing'
import { expect, test } from 'vitest'
import { createDatabase } from '../../apps/server/src/testkit/database.ts'
import { allMigrations } from '../upgrade/online.ts'

const namesOf = (database: Database, purpose: string) =>
  database.many(sql`select name, tenant from icosa.names where purpose = ${purpose} order by name`)

const login = (tenant: string, username: string) => sql`
  insert into contribution_collection.logins (tenant, username, user_id, password_hash, scopes)
  values (${tenant}, ${username}, ${username}, '', '{}')`

async function openEmpty() {
  const created = await createDatabase(testServerUrl)
  const database = openDatabase({ url: created.url, maxConnections: 8, onError: () => {} })
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.close()
      await created.drop()
    },
  }
}

const user = (tenant: string) => sql`
  insert into contribution_collection.users (tenant, id, username, registered_at)
  select ${tenant}, name, name, now() from unnest(array['ann', 'bea', 'eve']) as name`

const first: Readonly<Record<string, string>> = { icosa: '0018', 'contribution-collection': '0009' }
const isNew = ({ owner, name }: Migration) => name >= (first[owner] ?? '')
const isFilling = ({ name }: Migration) => /filled|concurrent/.test(name)

test('names of before the upgrade, and of older nodes during it, are reserved, and all tenants get tags', async () => {
  await using opened = await openEmpty()
  const { database } = opened
  const all = (await allMigrations()).filter(({ owner }) => ['icosa', 'contribution-collection'].includes(owner))
  await migrate(
    database,
    all.filter((migration) => !isNew(migration)),
  )
  await database.script(`
    insert into icosa.tenants values ('ada', now());
    insert into icosa.subscriptions values ('main', 'ada', now());
    insert into icosa.timers (due_at, queue, payload) values (now(), 'q', '{"tenant":"ada"}')`)
  await database.run(user('ada'))
  await database.run(login('ada', 'ann'))
  await migrate(
    database,
    all.filter((migration) => !isFilling(migration)),
  )
  await database.script("insert into icosa.tenants (id, created_at) values ('bob', now())")
  await database.run(login('ada', 'bea'))
  await migrate(database, all)
  expect(await namesOf(database, 'login')).toEqual([
    { name: 'ann', tenant: 'ada' },
    { name: 'bea', tenant: 'ada' },
  ])
  expect(await namesOf(database, 'subscription')).toEqual([{ name: 'main', tenant: 'ada' }])
  expect(await database.many(sql`select tenant from icosa.timers`)).toEqual([{ tenant: 'ada' }])
  const tags = await database.many<{ id: string; tag: string }>(sql`select id, tag from icosa.tenants order by id`)
  expect(tags.map(({ id }) => id)).toEqual(['ada', 'bob'])
  expect(new Set(tags.map(({ tag }) => tag)).size).toBe(2)
  expect(
    await database.many(sql`select name as tag, tenant as id from icosa.names where purpose = 'tag' order by id`),
  ).toEqual(tags)
})

test('a name belongs to one tenant until its row is deleted, renamed, truncated or rolled back', async () => {
  await using opened = await openEmpty()
  const { database } = opened
  await migrate(
    database,
    (await allMigrations()).filter(({ owner }) => ['icosa', 'contribution-collection'].includes(owner)),
  )
  await database.run(user('ada'))
  await database.run(user('bob'))
  await database.script("insert into icosa.names values ('login', 'eve', 'elsewhere')")
  await expect(database.run(login('ada', 'eve'))).rejects.toMatchObject({
    code: '23505',
    message: expect.stringContaining('reserved'),
  })
  await database.run(login('ada', 'ann'))
  await database.run(sql`update contribution_collection.logins set username = 'bea' where username = 'ann'`)
  expect(await namesOf(database, 'login')).toEqual([
    { name: 'bea', tenant: 'ada' },
    { name: 'eve', tenant: 'elsewhere' },
  ])
  await database.run(sql`delete from contribution_collection.logins where tenant = 'ada'`)
  await database.run(login('bob', 'bea'))
  const failed = database.transaction(async (db) => {
    await db.run(login('bob', 'ann'))
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect(await namesOf(database, 'login')).toEqual([
    { name: 'bea', tenant: 'bob' },
    { name: 'eve', tenant: 'elsewhere' },
  ])
  await database.script('truncate contribution_collection.logins')
  expect(await namesOf(database, 'login')).toEqual([])
})

test('of two tenants that take a name at the same time, one gets it', async () => {
  await using opened = await openEmpty()
  const { database } = opened
  await migrate(
    database,
    (await allMigrations()).filter(({ owner }) => owner === 'icosa'),
  )
  const take = (tenant: string) =>
    database.run(sql`
    insert into icosa.subscriptions (key, tenant, created_at) values ('main', ${tenant}, now())`)
  const outcomes = await Promise.allSettled(['ada', 'bob', 'eve', 'mia'].map(take))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await namesOf(database, 'subscription')).toHaveLength(1)
})

test("a tenant's tag is in each of its new credentials, and stays", async () => {
  await using app = await startTestApp(example)
  const { database, clock, cellVault } = app.platform
  const credential = { tenant: 'ada', name: 'robot', permissions: ['*'] }
  const tag = await tagOf(database, clock, 'ada')
  const tags = await Promise.all(Array.from({ length: 8 }, () => tagOf(database, clock, 'new')))
  expect(new Set(tags).size).toBe(1)
  expect([tag, tags[0]]).toEqual([expect.stringMatching(/^[a-z2-9]{12}$/), expect.not.stringContaining(tag)])
  const { key } = await createKey(database, clock, credential)
  const { id } = await createSigningSecret(database, clock, cellVault, credential)
  expect([tagOfKey(key), tagOfSigningId(id)]).toEqual([tag, tag])
  expect(tagOfKey(await app.key('ada'))).toBe(tag)
})

test('credentials of before tags have none, whatever their random characters, and still work', async () => {
  await using app = await startTestApp(example)
  const { database } = app.platform
  const old = `icosa_${'abcdefghijkm_'.repeat(4).slice(0, 43)}`
  await app.key('ada')
  await database.run(sql`
    insert into icosa.credentials (id, tenant, name, key_hash, permissions, created_at)
    values ('key_old', 'ada', 'old', sha256(${old}::bytea), '{*}', now())`)
  expect([tagOfKey(old), tagOfSigningId(`AKI${'A2'.repeat(9).slice(0, 17)}`)]).toEqual([undefined, undefined])
  const answer = await fetch(`${app.url}/example/notes`, { headers: { 'x-api-key': old } })
  expect(answer.status).toBe(200)
})
