import { expect, test } from 'vitest'
import { storeClient } from '../../services/configuration-stores/src/testing/store-client.ts'
import { encryptionOf, rowsOf, setKey, startBoth } from './support.ts'

test('setting and removing a key under writes by another node loses no value and leaves none in the old form', async () => {
  await using world = await startBoth()
  await using other = await startBoth({ databaseUrl: world.app.databaseUrl })
  const key = await (await world.openModule('busy')).make('one')
  const store = await world.open('busy-store')
  const [first] = await store.keys()
  const elsewhere = storeClient(other.endpointOf('busy-store'), first ?? { id: '', value: '' })
  const written = new Map<string, string>()
  const statuses = new Map<number, number>()
  let isOver = false
  const count = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const writing = [store, elsewhere].map(async (node, writer) => {
    for (let n = 0; !isOver; n++) {
      const [name, value] = [`${writer}-${n % 20}`, `value ${writer} ${n}`]
      const { status } = await node.put(`/kv/${name}`, { value })
      count(status)
      if (status !== 200) continue
      written.set(name, value)
      if (n % 10 === 0) count((await node.put(`/snapshots/s${writer}-${n}`, { filters: [{ key: '*' }] })).status)
      const read = await node.get(`/kv/${name}`)
      count(read.status)
      if (read.status === 200) expect(read.body.value).toBe(value)
    }
  })
  const untilSettled = () =>
    expect
      .poll(
        async () => {
          await world.app.jobs.drain()
          return (await encryptionOf(store)).state
        },
        { timeout: 120_000, interval: 200 },
      )
      .toBe('Succeeded')
  await expect.poll(() => written.size, { timeout: 60_000 }).toBeGreaterThan(30)
  await setKey(world, store, key)
  await untilSettled()
  isOver = true
  await Promise.all(writing)
  await world.app.jobs.drain()
  console.log('answers while a key was set:', Object.fromEntries(statuses))
  expect([...statuses.keys()].filter((status) => ![200, 201, 503].includes(status))).toEqual([])
  const { revisions, items } = await rowsOf(world)
  expect([revisions[0], items[0]], 'plaintext rows').toEqual([0, 0])
  expect(items[1]).toBeGreaterThan(0)
  const all = async () =>
    new Map((await store.all('/kv')).items.map((item: { key: string; value: string }) => [item.key, item.value]))
  expect(await all()).toEqual(written)

  await setKey(world, store, null)
  await untilSettled()
  expect(await all()).toEqual(written)
  const clear = await rowsOf(world)
  expect([clear.revisions[1], clear.items[1]], 'encrypted').toEqual([0, 0])
}, 300_000)
