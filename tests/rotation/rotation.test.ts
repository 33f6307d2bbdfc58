import { setTimeout as sleep } from 'node:timers/promises'
import { sealedColumnsOf, sql } from '@icosa/kernel'
import { freePort, sized } from '@icosa/testing'
import { cipher, openVault } from '@icosa/tokens'
import { expect, test } from 'vitest'
import { type Cell, openCell } from './cell.ts'
import { handOut } from './holdings.ts'
import { services } from './node.ts'

const [old, fresh, wrong] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]
const idOf = (key: Buffer) => cipher.keyOf(key).id
const bulk = sized(5_000, 20_000)

test('all issued credentials keep working while the master key is rotated under load, despite a kill', async () => {
  await using cell = await openCell()
  const port = await freePort()
  const first = await cell.start([old], port)
  const vault = await openVault(cell.database, { masterKeys: [old], sealed: () => sealedColumnsOf(services) })
  await using holdings = await handOut(cell, first, vault)
  await addSecrets(cell, (text, id) => vault.seal(text, id))
  await holdings.checkJobs(first)
  await first.stop()

  // One node has the key list of the documentation, the other still the former one.
  const both = [await cell.start([fresh, old], port), await cell.start([old], await freePort())] as const
  const failures: string[] = []
  let rounds = 0
  let loading = true
  const load = both.map(async (node, number) => {
    while (loading) {
      const round = rounds++
      await holdings.use(node).catch((error: Error) => failures.push(`use: ${error.message}`))
      await holdings.change(node, round).catch((error: Error) => failures.push(`change: ${error.message}`))
      if (number === 0) await holdings.visit().catch((error: Error) => failures.push(`visit: ${error.message}`))
      await sleep(50) // leaves half of the machine's time to the rotation
    }
  })

  const killed = await cell.database.transaction(async (db) => {
    await db.run(sql`select 1 from icosa.credentials where id = 'BULK7' for update`) // keeps the rotation from ending
    const rotation = cell.icosa([fresh, old], 'master-key', 'rotate')
    await expect.poll(() => rotation.lines.join('\n'), { timeout: 120_000 }).toMatch(/re-encrypted/)
    rotation.child.kill('SIGKILL')
    await rotation.ended
    return rotation
  })
  console.log(killed.lines.join('\n'))
  expect((await statusOf(cell)).opening.sort(), 'both keys open the database').toEqual([idOf(old), idOf(fresh)].sort())

  const rotation = cell.icosa([fresh, old], 'master-key', 'rotate')
  expect(await rotation.ended, rotation.lines.join('\n')).toBe(0)
  console.log(rotation.lines.join('\n'))
  expect(rotation.lines.at(-1)).toBe(`Remove ${idOf(old)} from ICOSA_MASTER_KEY: it no longer opens anything here.`)
  const until = rounds + 6
  await expect.poll(() => rounds).toBeGreaterThan(until) // even without the old key
  loading = false
  await Promise.all(load)
  console.log(`${rounds} rounds of requests, ${failures.length} failed`)
  expect(failures).toEqual([])
  const { values, sealsNow } = await statusOf(cell)
  expect(values.filter(({ dataKey }) => dataKey !== sealsNow && dataKey !== 'tenants')).toEqual([])

  for (const node of both) await node.stop()
  await expect(cell.start([old], port)).rejects.toThrow('did not start')
  const last = await cell.start([fresh], port)
  await holdings.use(last)
  await holdings.visit()
  await holdings.checkJobs(last)
})

test('nodes and commands refuse a wrong key with one line', async () => {
  await using cell = await openCell()
  await openVault(cell.database, { masterKeys: [old], sealed: () => sealedColumnsOf(services) })
  const commands = [
    'serve --port 0 --services resource-groups',
    'worker --services resource-groups',
    'migrate',
    'master-key rotate',
  ]
  for (const words of commands) {
    const command = cell.icosa([wrong], ...words.split(' '))
    expect(await command.ended, words).toBe(1)
    const lines = command.lines.filter((line) => !line.startsWith('applied '))
    expect(lines, words).toEqual([
      expect.stringMatching(/^icosa: ICOSA_MASTER_KEY is \w+, but this database opens with \w+\./),
    ])
  }
})

interface Status {
  readonly opening: string[]
  readonly sealsNow: string
  readonly values: { column: string; dataKey: string; values: number }[]
}

async function statusOf(cell: Cell): Promise<Status> {
  const status = cell.icosa([fresh, old], 'master-key', 'status', '--json')
  expect(await status.ended, status.lines.join('\n')).toBe(0)
  return JSON.parse(status.lines.join('\n'))
}

async function addSecrets({ database }: Cell, seal: (text: string, id: string) => Buffer): Promise<void> {
  const ids = Array.from({ length: bulk }, (_, n) => `BULK${n}`)
  const secrets = ids.map((id) => seal('secret', id))
  await database.run(sql`
    insert into icosa.credentials (id, tenant, name, signing_secret, permissions, created_at)
    select id, 'ada', '', secret, '{*}', now() from unnest(${ids}::text[], ${secrets}::bytea[]) as made (id, secret)`)
}
