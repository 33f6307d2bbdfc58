import { sql } from '@icosa/kernel'
import { auditKeyPurpose, newest, verifyAudit } from '@icosa/platform/audit'
import { deleteTenant, rowsLeft, rowsOf, type ServiceTenancy, tenantTables } from '@icosa/platform/tenants'
import { dropPhysical, onTestHost, physicalNames } from '@icosa/sql-databases/testing/app'
import { type TestApp, testServerUrl } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../apps/server/src/config.ts'
import { tenanciesOf } from '../../apps/server/src/tenants/services.ts'
import { giveDatabase, makeDatabase, makeRole } from '../../services/sql-databases/src/host/store.ts'
import { blobHashes, services as every, fill, restless, rowHashes, startFilled, untilStill } from './filled.ts'

// Covers tables and services added later, too.
let app: TestApp
let services: readonly ServiceTenancy[]

beforeAll(async () => {
  app = await startFilled()
  const { database, blobs } = app.platform
  const env = { ICOSA_SQL_URL: testServerUrl, DATABASE_URL: app.databaseUrl, ICOSA_BACKUP_REPOSITORIES: '/nonexistent' }
  const config = readConfig(env, { development: true })
  services = [...(await tenanciesOf(config, app.databaseUrl, database, blobs)), { service: 'example' }]
})
afterAll(async () => {
  await dropPhysical(app.platform.database)
  await app[Symbol.asyncDispose]()
})

const auditKeys = () => [app.platform.cellVault.derive(auditKeyPurpose)]

const remove = (tenant: string, evenLocked = false) => {
  const { database, blobs, clock } = app.platform
  return deleteTenant(tenant, { database, blobs, clock, services, auditKeys: auditKeys(), evenLocked, settleMs: 200 })
}

/** Creates the physical databases as a worker does, since seeds create none. */
async function makePhysical(tenant: string): Promise<void> {
  const rows = await app.platform.database.many<{ physical: string }>(sql`
    select physical from sql_databases.databases where tenant = ${tenant}`)
  const databases = await physicalNames(app.platform.database)
  for (const { physical } of rows.filter((row) => !databases.includes(row.physical)))
    await onTestHost(async (admin) => {
      await makeRole(admin, physical)
      await makeDatabase(admin, physical, null)
      await giveDatabase(admin, physical)
    })
}

/** Tables in which rows of a deleted tenant stay on purpose. */
const staying: Readonly<Record<string, string>> = {
  'icosa.revocations': 'its tokens are refused by it until they have expired, 25 hours later; it names ids alone',
  'platform.audit': 'who did what, without personal fields',
  'platform.audit_heads': 'where its chain ends',
}

test('deleting a tenant that uses every service leaves nothing of it and changes nothing of another', async () => {
  const { database } = app.platform
  await fill(app, 'bob')
  await makePhysical('bob')
  const databases = await physicalNames(database)
  const [rowsAlone, blobsAlone] = [await rowHashes(database), await blobHashes(app)]
  await fill(app, 'ada')
  await makePhysical('ada')
  await app.clock.move({ frozen: true }) // from here on, no timer falls due
  await app.jobs.drain()
  await untilStill(database)
  const [rowsBefore, blobsBefore] = [await rowHashes(database), await blobHashes(app)]

  const used = new Map((await rowsOf(database, 'ada')).map(({ table, rows }) => [table, rows]))
  const all = (await tenantTables(database)).map(({ table }) => table)
  console.log(
    `${used.size} of ${all.length} tables have rows of the tenant; ${blobsBefore.size - blobsAlone.size} more blobs`,
  )
  expect(used.size).toBeGreaterThan(60)
  expect((await physicalNames(database)).length).toBeGreaterThan(databases.length)

  const began = performance.now()
  const done = await remove('ada', true)
  console.log(`deleted ${done.rows} rows and ${done.blobs} blobs in ${Math.round(performance.now() - began)} ms`)

  expect(await rowsLeft(database, 'ada')).toEqual([])
  for (const [table, rows] of await rowHashes(database)) {
    if (restless.has(table) || table === 'platform.audit_heads') continue
    const before = rowsBefore.get(table) ?? new Set()
    const missing = [...before].filter((row) => !rows.has(row))
    if (all.includes(table)) expect(missing.length, `${table} lost rows of another tenant`).toBe(used.get(table) ?? 0)
    else {
      const alone = rowsAlone.get(table) ?? new Set()
      expect(
        [...alone].filter((row) => !rows.has(row)),
        `${table} lost rows of another tenant`,
      ).toEqual([])
      if (!(table in staying))
        expect(
          [...rows].filter((row) => !alone.has(row)),
          `${table} still has rows of the tenant`,
        ).toEqual([])
    }
    if (!(table in staying))
      expect(
        [...rows].filter((row) => !before.has(row)),
        `${table} has new rows`,
      ).toEqual([])
  }
  const noted = await newest(database, 'ada', 10_000)
  expect(noted.length).toBe(used.get('platform.audit'))
  for (const row of noted) expect(row).toMatchObject({ caller: '', address: '', resource: '', salt: null })
  const chains = await verifyAudit(database, { keys: auditKeys(), keptSince: new Date(0) })
  expect(chains.flatMap(({ problems }) => problems)).toEqual([])
  const blobsAfter = await blobHashes(app)
  expect([...blobsAfter].filter((blob) => !blobsBefore.has(blob))).toEqual([])
  expect([...blobsAfter].filter((blob) => /^[^/]+\/ada\//.test(blob))).toEqual([])
  expect([...blobsAlone].filter((blob) => !blobsAfter.has(blob))).toEqual([])
  expect(await physicalNames(database)).toEqual(databases)
  await expect(remove('ada')).rejects.toThrow("There is no tenant 'ada'")
})

test('every blob has a kind that its service declares, and is referenced by its rows', async () => {
  const { database, blobs } = app.platform
  const { items } = await blobs.list('', { limit: 1_000 })
  expect(items.length).toBeGreaterThan(3)
  for (const { key: whole } of items) {
    const [name = '', owner = '', ...rest] = whole.split('/')
    const key = rest.join('/')
    const uses = Object.entries(every.find((service) => service.name === name)?.blobs ?? {})
    const [, use] = uses.find(([start]) => key.startsWith(start)) ?? []
    expect(use, `${whole} is of a kind that ${name} does not declare in \`blobs\``).toBeDefined()
    if (typeof use !== 'function') continue
    expect(await use(database.reading, decodeURIComponent(owner), [key]), whole).toEqual([key])
    expect(await use(database.reading, 'nobody', [key]), whole).toEqual([])
  }
})

test('a table without a tenant column is emptied by its service, or has no tenant data', async () => {
  const { database } = app.platform
  const tables = new Set((await tenantTables(database)).map(({ table }) => table))
  const others = [...(await rowHashes(database)).keys()].filter(
    (table) => !tables.has(table) && !table.startsWith('jobs.'),
  )
  expect(others.sort()).toEqual(Object.keys({ ...nobodys, ...byParents }).sort())
})

const nobodys: Readonly<Record<string, string>> = {
  'banking.server_keys': 'the key of the bank itself',
  'icosa.cell': 'one row',
  'icosa.clock': 'one row',
  'icosa.data_key_origin': 'one row',
  'icosa.fence': 'one row',
  'icosa.leases': 'which worker leads',
  'icosa.master_keys': 'of the platform',
  'icosa.data_keys': 'the keys of the vault',
  'icosa.migrations': 'what was applied',
  'icosa.name_changes': 'names that the directory of cells is about to be told of',
  'icosa.operated': 'one row',
  'icosa.revocations': staying['icosa.revocations'] ?? '',
  'icosa.signing_keys': 'the keys of the issuer',
  'icosa.tenant_key_use': 'one row',
  'icosa.tenant_states': 'in which cell a tenant lives that has left',
  'identity_connect.attempts': 'guesses by account and network, as keyed hashes; they go within a day',
  'platform.nodes': 'heartbeats of the nodes',
  'platform.shared_folders': 'the ids of folders that nodes share',
  'podcast_directory.hosts': 'hosts of feeds that asked us to wait',
  'sql_databases.archive_bases': 'copies of the SQL host; what was in them of a tenant goes with them, within 35 days',
  'sql_databases.archive_pieces': 'parts of its log, likewise',
  'sql_databases.archives': 'the log of the SQL host, which is of all tenants',
  'sql_databases.orphans': 'databases without a row, until they are dropped',
  'sql_virtual_machines.hosts': 'the operator’s machines',
}

const byParents: Readonly<Record<string, string>> = {
  'contribution_collection.login_attempts': 'logins',
  'functions.retired_revisions': 'revisions',
  'identity_connect.artifacts': 'people and clients',
  'identity_connect.challenges': 'people',
  'identity_connect.consents': 'people and clients',
  'identity_connect.link_tokens': 'links',
  'identity_connect.links': 'people and invitations',
  'identity_connect.passkeys': 'people',
  'sql_virtual_machines.openings': 'listeners',
  'sql_virtual_machines.ports': 'instances and listeners',
}

test('rows that belong to a tenant only through other rows are deleted with it', async () => {
  const { database } = app.platform
  for (const tenant of ['cleo', 'dora'])
    await database.script(`
      insert into icosa.tenants values ('${tenant}', now());
      insert into identity_connect.people (id, email, email_verified, tenant, created_at, updated_at)
        values ('p-${tenant}', '${tenant}@example.com', true, '${tenant}', now(), now());
      insert into identity_connect.clients (tenant, id, metadata, created_at) values ('${tenant}', 'c-${tenant}', '{}', now());
      insert into identity_connect.artifacts (model, id, payload, account_id, expires_at)
        values ('Session', 's-${tenant}', '{}', 'p-${tenant}', now() + interval '1 hour');
      insert into identity_connect.artifacts (model, id, payload, client_id, expires_at)
        values ('AccessToken', 't-${tenant}', '{}', 'c-${tenant}', now() + interval '1 hour');
      insert into identity_connect.links (id, purpose, email, invitation, created_at, expires_at)
        values ('i-${tenant}', 'invitation', 'x@example.com', '{"tenant":"${tenant}"}', now(), now());
      insert into identity_connect.link_tokens values ('\\x0${tenant.length}${tenant === 'cleo' ? '1' : '2'}1', 'i-${tenant}');
      insert into identity_connect.passkeys values ('k-${tenant}', 'p-${tenant}', 'c-${tenant}', 'key', '', 0, '{}', now());
      insert into identity_connect.challenges values ('h-${tenant}', 'register', 'p-${tenant}', now());
      insert into functions.revisions (tenant, id, project, location, function, number, artifact, source, desired, created_at)
        values ('${tenant}', 'r-${tenant}', 'p', 'l', 'f', 1, 'a', 's', '{}', now());
      insert into functions.retired_revisions values ('r-${tenant}', now());
      insert into contribution_collection.users (tenant, id, username, registered_at) values ('${tenant}', 'u', '${tenant}', now());
      insert into contribution_collection.logins values ('${tenant}', '${tenant}', 'u', '', '{}');
      insert into contribution_collection.login_attempts values (
        rtrim(translate(encode(sha256('${tenant}'), 'base64'), '+/', '-_'), '='), 1, now());`)
  await database.script(`
    insert into identity_connect.consents values ('p-dora', 'c-cleo', '{}', '{}', now(), now());
    insert into identity_connect.consents values ('p-dora', 'c-dora', '{}', '{}', now(), now());`)
  const before = await rowHashes(database)
  await remove('cleo')
  const after = await rowHashes(database)
  for (const table of Object.keys(byParents)) {
    const expected = [...(before.get(table) ?? [])].filter((row) => !row.includes('cleo') && !row.includes('\\x041'))
    const attempts = table === 'contribution_collection.login_attempts'
    if (attempts) expect((before.get(table)?.size ?? 0) - (after.get(table)?.size ?? 0)).toBe(1)
    else expect([...(after.get(table) ?? [])], table).toEqual(expected)
  }
  const revoked = await database.many<{ subject: string }>(sql`select subject from icosa.revocations`)
  expect(revoked.map(({ subject }) => subject)).toEqual(expect.arrayContaining(['p-cleo', 'c-cleo']))
})

test('callers of a tenant are locked out during its deletion, which can be resumed after a failure', async () => {
  const { database, blobs, clock } = app.platform
  const headers = { 'x-api-key': await app.key('finn'), 'content-type': 'application/json' }
  const body = JSON.stringify({ title: 'A note', text: '' })
  const statuses = new Set<number>()
  let calling = true
  const callers = Array.from({ length: 4 }, async () => {
    while (calling) {
      const answer = await fetch(`${app.url}/example/notes`, { method: 'POST', headers, body })
      statuses.add(answer.status)
      await answer.arrayBuffer()
    }
  })
  await expect.poll(() => rowsOf(database, 'finn')).toContainEqual({ table: 'example.notes', rows: expect.any(Number) })
  let isThere = false
  const failing: ServiceTenancy = {
    service: 'example',
    async release() {
      if (!isThere) throw new Error('the SQL host does not answer')
    },
  }
  const options = { database, blobs, clock, services: [failing], auditKeys: auditKeys(), settleMs: 1_200 }
  const go = () => deleteTenant('finn', options)
  await expect(go()).rejects.toThrow('does not answer')
  expect(await rowsOf(database, 'finn'), 'a failed deletion keeps rows that are needed to resume it').not.toEqual([])
  await expect.poll(() => statuses.has(401)).toBe(true)
  isThere = true
  await go()
  calling = false
  await Promise.all(callers)
  expect(await rowsLeft(database, 'finn')).toEqual([])
  expect([...statuses].sort()).toEqual([201, 401])
})

test('a locked vault prevents deletion: the operator may override a lock unless it is permanent', async () => {
  const { database } = app.platform
  const point = `'00000000-0000-4000-8000-000000000001', 'safe', 'arn', 'arn', 'T', 'n', 'COMPLETED',
    '00000000-0000-4000-8000-000000000002', 's', 1, '{}', '{}', '{}', 'role', now(), now()`
  const lock = (more: string) => database.script(`update backup.vaults set locked = true, ${more} where tenant = 'eve'`)
  await database.script(`
    insert into icosa.tenants values ('eve', now());
    insert into backup.vaults (tenant, name, id, kind, password, tags, created_at, locked)
      values ('eve', 'safe', '00000000-0000-4000-8000-000000000003', 'BACKUP_VAULT', '', '{}', now(), true);
    insert into backup.recovery_points (tenant, id, vault, resource_arn, resource_key, resource_type, resource_name, status,
      attempt, snapshot, bytes, metadata, resource_tags, tags, role_arn, created_at, completed_at)
      values ('eve', ${point});`)
  await expect(remove('eve')).rejects.toThrow(
    "the vault 'safe' is locked: at least one of its 1 recovery points never expires. Add --even-locked",
  )
  await database.script(`update backup.recovery_points set delete_at = '2051-01-01T00:00:00Z' where tenant = 'eve'`)
  await lock("lock_at = now() - interval '1 day'")
  const refused =
    /locked permanently: the last of its 1 recovery points expires on 2051-01-01T00:00:00.000Z. This lock cannot be overridden/
  await expect(remove('eve')).rejects.toThrow(refused)
  await expect(remove('eve', true)).rejects.toThrow(refused)
  expect(await rowsOf(database, 'eve')).toHaveLength(4)
  await lock('lock_at = null')
  await remove('eve', true)
  expect(await rowsLeft(database, 'eve')).toEqual([])
})
