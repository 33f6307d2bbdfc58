import { openDatabase, type SealedColumn, sql } from '@icosa/kernel'
import { startProxy } from '@icosa/testing'
import { dataKeys } from '@icosa/tokens'
import { expect, test } from 'vitest'
import { fresh, idOf, old, openSecrets, other, type Secrets } from '../testing/secrets.ts'
import type { Progress } from './reseal.ts'
import * as store from './store.ts'

const credentials = 'icosa.credentials.signing_secret'
const signingSecrets: SealedColumn = { table: 'icosa.credentials', column: 'signing_secret', context: '{id}' }

/** Locks a row during the work, so that no rotation can complete. */
const holding = <T>({ database }: Secrets, id: string, work: () => Promise<T>): Promise<T> =>
  database.transaction(async (db) => {
    await db.run(sql`select 1 from icosa.credentials where id = ${id} for update`)
    return work()
  })

test('a rotation seals everything again and keeps derived keys; the old master key opens nothing', async () => {
  await using secrets = await openSecrets()
  const before = await secrets.open(old)
  await secrets.add(before, 5_000)
  const secretsBefore = await secrets.read(before)

  const progress: number[] = []
  const onCredentials = ({ column, done }: Progress) => column === credentials && progress.push(done)
  const rotated = await secrets.rotate([fresh, old], { onProgress: onCredentials })
  expect(rotated).toMatchObject({ left: 0, unopened: [], retired: [idOf(old)] })
  expect(progress.at(-1)).toBe(5_000)
  expect(progress.length, 'several batches').toBeGreaterThan(2)

  const after = await secrets.open(fresh)
  expect(await secrets.read(after)).toEqual(secretsBefore)
  expect(after.derive('blobs')).toEqual(before.derive('blobs'))
  await expect(secrets.open(old)).rejects.toThrow('It was replaced by `icosa master-key rotate`: set the new one.')
  await expect(secrets.open(other)).rejects.toThrow('Set that one.')
  expect(await store.counts(secrets.database, signingSecrets)).toEqual([{ id: 'tenants', values: 5_000 }])
  expect(await secrets.rotate([fresh]), 'a second rotation changes nothing').toMatchObject({ left: 0, retired: [] })
})

test('a node with only the old key keeps working during a rotation', async () => {
  await using secrets = await openSecrets()
  const node = await secrets.open(old)
  await secrets.add(node, 10)
  const rotating = await holding(secrets, 'AKI3', async () => {
    const begun = secrets.rotate([fresh, old])
    await expect.poll(async () => (await dataKeys.read(secrets.database)).length).toBe(3)
    await node.refresh() // as every node does within seconds
    return { begun }
  })
  expect(await rotating.begun).toMatchObject({ left: 0, retired: [idOf(old)] })
  await node.refresh()
  expect((await secrets.read(node)).size).toBe(10)
  await secrets.add(node, 1, 10)
  expect((await secrets.read(await secrets.open(fresh))).size).toBe(11)
})

test('a value that a node seals late under an old data key is not lost', async () => {
  await using secrets = await openSecrets()
  const frozen = await secrets.open(old)
  await secrets.add(frozen, 10)
  await secrets.rotate([fresh, old])
  await secrets.add(frozen, 1, 10) // it has not refreshed since
  expect((await secrets.read(await secrets.open(fresh))).size).toBe(11)
  const counted = () => store.counts(secrets.database, signingSecrets)
  expect((await counted()).map(({ values }) => values).sort()).toEqual([1, 10])

  expect(await secrets.rotate([fresh])).toMatchObject({ left: 0, retired: [] })
  expect((await counted()).map(({ values }) => values)).toEqual([11])
  expect((await secrets.read(await secrets.open(fresh))).size).toBe(11)
})

test('a value moved to another row is refused before and after a rotation, which reports it and leaves it unchanged', async () => {
  await using secrets = await openSecrets()
  const vault = await secrets.open(old)
  await secrets.add(vault, 3)
  await secrets.database.run(sql`update icosa.credentials set signing_secret =
    (select signing_secret from icosa.credentials where id = 'AKI0') where id = 'AKI1'`)
  await expect(secrets.read(vault)).rejects.toThrow()
  const rotated = await secrets.rotate([fresh, old])
  expect(rotated).toMatchObject({ left: 0, retired: [idOf(old)] })
  expect(rotated.unopened).toEqual([{ column: 'icosa.credentials.signing_secret', context: 'AKI1' }])
  const after = await secrets.open(fresh)
  await expect(secrets.read(after)).rejects.toThrow('unable to authenticate')
  await secrets.database.run(sql`delete from icosa.credentials where id = 'AKI1'`)
  expect((await secrets.read(after)).size).toBe(2)
})

test('a data key cannot be moved to another purpose or name', async () => {
  await using secrets = await openSecrets()
  await secrets.open(old)
  await secrets.database.run(sql`update icosa.data_keys set wrapped =
    (select wrapped from icosa.data_keys where purpose = 'derive') where purpose = 'seal'`)
  await expect(secrets.open(old)).rejects.toThrow()
})

test('concurrent rotations share the work', async () => {
  await using secrets = await openSecrets()
  const vault = await secrets.open(old)
  await secrets.add(vault, 3_000)
  const secretsBefore = await secrets.read(vault)
  const both = await Promise.all([secrets.rotate([fresh, old]), secrets.rotate([fresh, old])])
  for (const { left, unopened } of both) expect({ left, unopened }).toEqual({ left: 0, unopened: [] })
  expect(new Set(both.map(({ sealedUnder }) => sealedUnder)).size, 'one data key').toBe(1)
  expect(await secrets.read(await secrets.open(fresh))).toEqual(secretsBefore)
})

test('a concurrent rotation to another key is refused, and the error names the missing key', async () => {
  await using secrets = await openSecrets()
  await secrets.add(await secrets.open(old), 10)
  await expect(secrets.rotate([other, fresh]), 'neither key opens the database').rejects.toThrow('Set that one.')
  const { first } = await holding(secrets, 'AKI3', async () => {
    const begun = secrets.rotate([fresh, old])
    await expect.poll(async () => dataKeys.opening(await dataKeys.read(secrets.database))).toHaveLength(2)
    await expect(secrets.rotate([other, old])).rejects.toThrow(
      `The master key ${idOf(fresh)} opens this database, too: a rotation was begun with it. Add it`,
    )
    return { first: begun }
  })
  expect(await first).toMatchObject({ left: 0, retired: [idOf(old)] })
  expect(await secrets.rotate([other, fresh, old])).toMatchObject({ retired: [idOf(fresh)] })
  expect((await secrets.read(await secrets.open(other))).size).toBe(10)
})

test('a rotation skips locked rows and returns to them when they are free', async () => {
  await using secrets = await openSecrets()
  await secrets.add(await secrets.open(old), 500)
  const { rotating } = await holding(secrets, 'AKI7', async () => {
    let others = 0
    const begun = secrets.rotate([fresh, old], {
      onProgress: ({ done }) => {
        others = Math.max(others, done)
      },
    })
    await expect.poll(() => others, { timeout: 20_000 }).toBe(499)
    return { rotating: begun }
  })
  expect(await rotating).toMatchObject({ left: 0, retired: [idOf(old)] })
})

test('a rotation survives a database outage', async () => {
  await using secrets = await openSecrets()
  const vault = await secrets.open(old)
  await secrets.add(vault, 5_000)
  const secretsBefore = await secrets.read(vault)
  await using proxy = await startProxy(secrets.url)
  const database = openDatabase({ url: proxy.url, maxConnections: 2, onError: () => {} })
  let cuts = 0
  const rotated = await secrets.rotate([fresh, old], {
    database,
    onProgress: () => void (cuts++ < 2 && proxy.become('refusing')),
    onRemark: (text) => void (text.startsWith('The database cannot be reached') && proxy.become('through')),
  })
  await database.close()
  expect(cuts).toBeGreaterThan(2)
  expect(rotated).toMatchObject({ left: 0, unopened: [], retired: [idOf(old)] })
  expect(await secrets.read(await secrets.open(fresh))).toEqual(secretsBefore)
})

test('a rotation after theft also replaces derived keys', async () => {
  await using secrets = await openSecrets()
  const before = await secrets.open(old)
  await secrets.rotate([fresh, old], { isStolen: true })
  const after = await secrets.open(fresh)
  expect(after.derive('blobs')).not.toEqual(before.derive('blobs'))
  expect(after.everDerived('audit'), 'old signatures can still be verified').toEqual([
    after.derive('audit'),
    before.derive('audit'),
  ])
  await secrets.rotate([fresh], { isStolen: true })
  expect((await secrets.open(fresh)).derive('blobs'), 'replaced only once').toEqual(after.derive('blobs'))
})
