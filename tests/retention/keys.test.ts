import { openDatabase, sql } from '@icosa/kernel'
import { platform } from '@icosa/platform'
import { createTestDatabase } from '@icosa/testing'
import { expect, test } from 'vitest'
import { allServices } from '../../apps/server/src/services.ts'

/** Tables whose primary key does not begin with the tenant, by reason. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  'of the cell or its nodes, not of tenants': [
    'icosa.clock',
    'icosa.data_key_origin',
    'icosa.data_keys',
    'icosa.fence',
    'icosa.leases',
    'icosa.master_keys',
    'icosa.migrations',
    'icosa.operated',
    'icosa.schedules',
    'icosa.signing_keys',
    'icosa.tenant_key_use',
    'icosa.cell',
    'icosa.name_changes',
    'banking.server_keys',
    'platform.nodes',
    'platform.shared_folders',
    'podcast_directory.hosts',
    'sql_databases.archive_bases',
    'sql_databases.archive_pieces',
    'sql_databases.archives',
    'sql_virtual_machines.hosts',
    'sql_virtual_machines.ports',
  ],
  'found before the tenant is known': [
    'icosa.credentials',
    'icosa.names',
    'icosa.revocations',
    'icosa.subscriptions',
    'icosa.tenant_states',
    'icosa.tenants',
    'contribution_collection.login_attempts',
    'contribution_collection.logins',
    'identity_connect.artifacts',
    'identity_connect.attempts',
    'identity_connect.challenges',
    'identity_connect.consents',
    'identity_connect.link_tokens',
    'identity_connect.links',
    'identity_connect.passkeys',
    'identity_connect.people',
  ],
  'read for all tenants at once, in the order of their work': [
    'icosa.jobs',
    'icosa.timers',
    'functions.retired_revisions',
    'podcast_directory.changes',
    'podcast_directory.shelves',
    'podcast_directory.turns',
    'sql_databases.orphans',
    'sql_virtual_machines.instances',
    'sql_virtual_machines.openings',
  ],
  'without a primary key: its index begins with the tenant': ['banking.labels'],
}

test('the primary key of every table begins with the tenant, except for those listed with a reason', async () => {
  await using testDatabase = await createTestDatabase([...(await allServices()), platform])
  const database = openDatabase({ url: testDatabase.url, maxConnections: 1, onError: () => {} })
  const tables = await database.many<{ name: string; isByTenant: boolean }>(sql`
    select format('%s.%s', nspname, relname) as name, exists (
      select from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      where conrelid = pg_class.oid and contype = 'p' and attname = 'tenant') as "isByTenant"
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p') and not relispartition and nspname not in ('pg_catalog', 'information_schema')`)
  await database.close()
  const others = tables.filter(({ isByTenant }) => !isByTenant)
  expect(others.map(({ name }) => name).sort()).toEqual(Object.values(exceptions).flat().sort())
  expect(others.length / tables.length, 'docs/operate/scale.md: three of four').toBeLessThan(0.25)
})
