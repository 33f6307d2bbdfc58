import { setTimeout as sleep } from 'node:timers/promises'
import { sealedColumnsOf, sql } from '@icosa/kernel'
import { freePort } from '@icosa/testing'
import { openVault, tenantKeys } from '@icosa/tokens'
import { expect, test } from 'vitest'
import { type Cell, openCell } from './cell.ts'
import { handOut } from './holdings.ts'
import { services } from './node.ts'

const masterKey = Buffer.alloc(32, 1)
const bulk = 3_000

test('two nodes work for a tenant while it is rekeyed, and the command is killed and run again', async () => {
  await using cell = await openCell()
  const nodes = [
    await cell.start([masterKey], await freePort()),
    await cell.start([masterKey], await freePort()),
  ] as const
  const vault = await openVault(cell.database, { masterKeys: [masterKey], sealed: () => sealedColumnsOf(services) })
  await using holdings = await handOut(cell, nodes[0], vault)
  await addSecrets(cell, (text, id) => vault.seal(text, id))
  const failures: string[] = []
  let rounds = 0
  let loading = true
  const load = nodes.map(async (node) => {
    while (loading) {
      const round = rounds++
      await holdings.use(node).catch((error: Error) => failures.push(`use: ${error.message}`))
      await holdings.change(node, round).catch((error: Error) => failures.push(`change: ${error.message}`))
      await sleep(50)
    }
  })

  await cell.database.transaction(async (db) => {
    await db.run(sql`select 1 from icosa.credentials where id = 'BULK7' for update`) // keeps it from ending
    const rekeying = cell.icosa([masterKey], 'tenants', 'rekey', 'ada')
    await expect.poll(() => rekeying.lines.join('\n'), { timeout: 120_000 }).toMatch(/re-encrypted/)
    rekeying.child.kill('SIGKILL')
    await rekeying.ended
  })
  const rekeying = cell.icosa([masterKey], 'tenants', 'rekey', 'ada')
  expect(await rekeying.ended, rekeying.lines.join('\n')).toBe(0)
  expect(rekeying.lines.at(-1)).toBe('All secrets of ada are sealed under keys of their own.')
  const until = rounds + 6
  await expect.poll(() => rounds).toBeGreaterThan(until)
  loading = false
  await Promise.all(load)
  expect(failures).toEqual([])
  const newest = (await tenantKeys.read(cell.database, 'ada')).findLast(({ purpose }) => purpose === 'seal')
  const under = await cell.database.many<{ id: string }>(sql`
    select distinct encode(substring(signing_secret from 1 for 4), 'hex') as id from icosa.credentials
    where tenant = 'ada' and signing_secret is not null`)
  expect(under).toEqual([{ id: newest?.id }])
})

async function addSecrets({ database }: Cell, seal: (text: string, id: string) => Buffer): Promise<void> {
  const ids = Array.from({ length: bulk }, (_, n) => `BULK${n}`)
  const secrets = ids.map((id) => seal('secret', id))
  await database.run(sql`
    insert into icosa.credentials (id, tenant, name, signing_secret, permissions, created_at)
    select id, 'ada', '', secret, '{*}', now() from unnest(${ids}::text[], ${secrets}::bytea[]) as made (id, secret)`)
}
