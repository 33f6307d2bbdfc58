import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blobPrefix, type OwnBlobs, sql } from '@icosa/kernel'
import { example, startTestApp, type TestApp, testNode } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operating } from '../../index.ts'
import { setLimit } from '../store.ts'
import { countBlobs } from './count.ts'
import { limitedBlobs } from './limited-blobs.ts'
import { limitedBytes } from './store.ts'

let app: TestApp
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icosa-bytes-'))
  const blobs = limitedBlobs(testNode([], '', folder).blobs)
  app = await startTestApp({ services: [example, operating], blobs })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const refused = expect.objectContaining({ kind: 'limitReached' })
const kilobyte = Buffer.alloc(1_024, 'k')
const own = (tenant: string, service = 'example'): OwnBlobs => app.platform.blobsOf(service, tenant)
const counted = async (tenant: string) =>
  (await limitedBytes(app.platform.database.reading, 100)).find((row) => row.tenant === tenant)?.bytes

/** Sets a limit and counts existing blobs, like the command. */
async function limit(tenant: string, amount: number, service = 'example'): Promise<void> {
  const { database, blobs, clock } = app.platform
  await setLimit(database, { tenant, service, kind: 'bytes', amount })
  // The node has read the limit once it counts writes.
  await expect
    .poll(async () => {
      await own(tenant).put('probe', kilobyte.subarray(0, 1))
      const [row] = await database.many(sql`select from platform.blobs where tenant = ${tenant} and key = 'probe'`)
      await own(tenant).delete('probe')
      return row !== undefined
    })
    .toBe(true)
  await countBlobs(database, blobs, { tenant, service }, clock.now())
}

const chunk = Buffer.alloc(64 * 1_024, 'p')

async function* chunks(count: number, onChunk: () => void = () => {}): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < count; n++) {
    onChunk()
    yield chunk
  }
}

const stored = async (tenant: string) => {
  const { items } = await app.platform.blobs.list(blobPrefix('example', tenant), { limit: 1_000 })
  return items.reduce((sum, { size }) => sum + size, 0)
}
const incoming = () => readdir(join(folder, 'incoming')).catch(() => [])

test('concurrent writes succeed up to the limit, to the byte', async () => {
  await own('ada').put('before', kilobyte)
  await limit('ada', 10 * 1_024)
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, (_, n) => own('ada').put(`n${n}`, kilobyte)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(9)
  expect(outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))).toEqual(
    Array(21).fill(refused),
  )
  expect([await counted('ada'), await stored('ada')]).toEqual([10 * 1_024, 10 * 1_024])
  await own('bob').put('other', Buffer.alloc(20_000)) // others are not limited
  await own('ada', 'other').put('other', Buffer.alloc(20_000))
})

test('deleting a blob, or replacing it with a smaller one, frees quota', async () => {
  await limit('cleo', 2_048)
  await own('cleo').put('a', kilobyte)
  await own('cleo').put('b', kilobyte)
  await expect(own('cleo').put('c', kilobyte)).rejects.toEqual(refused)
  await own('cleo').delete('a')
  await own('cleo').delete('a')
  await own('cleo').put('c', Buffer.alloc(1_000))
  await own('cleo').put('b', Buffer.alloc(24)) // counts in addition to the old one until it is complete
  expect(await counted('cleo')).toBe(1_024)
  await own('cleo').put('d', kilobyte)
  await expect(own('cleo').put('e', Buffer.alloc(1))).rejects.toEqual(refused)
})

test('a stream of unknown length is stopped at the limit and leaves nothing behind', async () => {
  const megabytes = 9
  await limit('dora', megabytes * 1024 ** 2)
  let consumed = 0
  const endless = own('dora').put(
    'endless',
    chunks(1_000, () => consumed++),
  )
  await expect(endless).rejects.toEqual(refused)
  expect(consumed).toBe(megabytes * 16 + 1)
  expect([await counted('dora'), await stored('dora'), await incoming()]).toEqual([0, 0, []])
  await own('dora').put('fits', chunks(megabytes * 16))
  expect([await counted('dora'), await stored('dora')]).toEqual([megabytes * 1024 ** 2, megabytes * 1024 ** 2])
})

test('an aborted write releases its reservation, and a conflicting key changes nothing', async () => {
  await limit('eve', 100_000)
  await own('eve').put('a', kilobyte)
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield kilobyte
    throw new Error('hung up')
  }
  await expect(own('eve').put('b', broken())).rejects.toThrow('hung up')
  await expect(own('eve').put('a', Buffer.alloc(9), { ifAbsent: true })).rejects.toMatchObject({
    kind: 'alreadyExists',
  })
  expect(await counted('eve')).toBe(1_024)
})

test('a limit for all services holds under concurrent writes to two of them', async () => {
  await limit('fay', 3 * 1_024, '*')
  const writes = ['example', 'other'].flatMap((service) =>
    [1, 2, 3].map((n) => own('fay', service).put(`n${n}`, kilobyte)),
  )
  const outcomes = await Promise.allSettled(writes)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(await counted('fay')).toBe(3 * 1_024)
})

test('counting corrects drift left by killed nodes, and keeps blobs beyond a new limit', async () => {
  const { database, blobs, clock } = app.platform
  await own('gil').put('large', Buffer.alloc(5_000))
  await limit('gil', 1_000)
  expect(await counted('gil')).toBe(5_000)
  const late = new Date(clock.now().getTime() - 2 * 86_400_000)
  await database.run(sql`
    insert into platform.blobs select 'gil', 'example', key, 0, ${late} from unnest(array['/abandoned', 'ghost']) as key`)
  await database.run(sql`delete from platform.blobs where tenant = 'gil' and key = 'large'`)
  await countBlobs(database, blobs, { tenant: 'gil', service: 'example' }, clock.now())
  const rows = await database.many(sql`select key, bytes::int from platform.blobs where tenant = 'gil'`)
  expect(rows).toEqual([{ key: 'large', bytes: 5_000 }])
  await own('gil').delete('large')
  expect(await counted('gil')).toBe(0)
})

test('an upload beyond the limit is refused with the error format of the service', async () => {
  await limit('hal', 2_048)
  const headers = { 'x-api-key': await app.key('hal') }
  const creation = await fetch(`${app.url}/example/notes`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"title":"t","text":""}',
  })
  const { id } = (await creation.json()) as { id: string }
  const put = (bytes: number) =>
    fetch(`${app.url}/example/notes/${id}/attachment`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'text/plain' },
      body: new Uint8Array(bytes),
    })
  const response = await put(4_096)
  expect([response.status, await response.text()]).toEqual([
    403,
    expect.stringContaining('limit of 2048 bytes of example'),
  ])
  expect(await stored('hal')).toBe(0)
  expect((await put(2_000)).status).toBe(204)
})
