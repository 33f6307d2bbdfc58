import { expect, test } from 'vitest'
import { sources, textOf } from './sources.ts'

/** Files with transactions that name no tenant, so that they go on while one moves to another cell (ADR 93). */
const ofNoTenant: Readonly<Record<string, string>> = {
  'apps/server/src/cells/add.ts': 'of the cell',
  'apps/server/src/cells/remove.ts': 'of the cell',
  'apps/server/src/cells/report.ts': 'reports for many tenants at once, of which none is locked',
  'apps/server/src/cells/reserve.ts': 'of the directory',
  'apps/server/src/commands/access/subscriptions.ts': 'releases a subscription, by the operator',
  'apps/server/src/commands/development/clock.ts': 'of the cell',
  'apps/server/src/commands/development/reset.ts': 'of the cell, in development mode',
  'apps/server/src/commands/operation/migrate.ts': 'of the cell',
  'apps/server/src/dev/development.ts': 'of the cell, in development mode',
  'apps/server/src/master-key/carry.ts': 'adds keys of a tenant to the cell that it moves to',
  'apps/server/src/master-key/rotate.ts': 'of the cell',
  'apps/server/src/master-key/tenant-keys.ts': 'adds keys of all tenants, by the operator',
  'apps/server/src/moves/compare.ts': 'reads',
  'apps/server/src/moves/numbers.ts': 'of the cell',
  'apps/server/src/moves/replication.ts': 'of the cell',
  'apps/server/src/moves/rows.ts': 'copies a tenant that is not active in the cell, which it checks',
  'apps/server/src/moves/store.ts': 'holds a lock, and writes nothing',
  'apps/server/src/operation.ts': 'of the cell',
  'apps/server/src/testkit/app.ts': 'of the cell, in tests',
  'packages/kernel/src/db/fence/moves.ts': 'changes the states of tenants',
  'packages/kernel/src/db/migration/migrate.ts': 'of the cell',
  'packages/tokens/src/keys/rotation.ts': 'of the cell',
  'packages/tokens/src/vault/data-keys.ts': 'of the cell',
  'services/backup/src/restic/exclusive.ts': 'holds a lock, and writes nothing',
  'services/banking/src/ledger/archive.ts': 'moves a partition, whose rows stay as they are',
  'services/identity-connect/src/approvals/operator.ts': 'an approval by the operator, for all tenants',
  'services/identity-connect/src/provider/artifacts/adapter.ts': 'revokes: a late revocation is right in either cell',
  'services/identity-connect/src/sessions/sessions.ts': 'revokes: a late revocation is right in either cell',
  'services/identity-connect/src/tenancy.ts': 'deletes a tenant, by the operator',
  'services/language-authoring/src/prediction/query-log.ts': 'counts for many tenants at once',
  'services/platform/src/audit/audit.ts': 'records what has happened here, for many tenants at once',
  'services/platform/src/audit/erase.ts': 'deletes a tenant, by the operator',
  'services/platform/src/audit/verify.ts': 'reads',
  'services/platform/src/history/recorder.ts': 'spans of this node, for many tenants at once',
  'services/platform/src/limits/bytes/count.ts': 'counts the blobs that are here',
  'services/platform/src/tenants/delete.ts': 'deletes a tenant, by the operator',
  'services/platform/src/tenants/export.ts': 'reads',
  'services/platform/src/tenants/import.ts': 'writes a tenant that is new to the cell',
  'services/sql-databases/src/wal-archive/receiver.ts': 'of the SQL host',
}

/** The arguments of each call of `transaction` on a database handle. */
function calls(text: string): string[] {
  return [...text.matchAll(/\b(?:database|own)\.transaction\(/g)].map(({ index, 0: begin }) => {
    const from = index + begin.length
    let depth = 1
    let at = from
    for (; depth > 0; at++) depth += '([{'.includes(text[at] ?? '') ? 1 : ')]}'.includes(text[at] ?? ')') ? -1 : 0
    return text.slice(from, at - 1)
  })
}

const namesTenant = (call: string) => /, (?:[\w.]*tenant|ALL_TENANTS)$|, tenantOf\([\w.]+\)$/.test(call.trim())

test('a transaction of a service names the tenant whose rows it writes, or is listed with a reason', () => {
  const files = sources.filter(
    (file) => !/\.test\.ts$|\/testing\/|^packages\/testing\//.test(file) && calls(textOf(file)).length > 0,
  )
  const unnamed = files.filter((file) => !calls(textOf(file)).every(namesTenant))
  expect(files.length).toBeGreaterThan(unnamed.length)
  expect(unnamed.toSorted()).toEqual(Object.keys(ofNoTenant))
})
