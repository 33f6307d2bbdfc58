import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { client } from '@icosa/client'
import { sql } from '@icosa/kernel'
import { type Children, children, expireClaims, sized, startTestApp, type TestApp, testNode } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contracts from '../contract.ts'
import { fill } from '../exports/testing/fill.ts'
import { contributionCollection } from '../index.ts'
import { film, test2seconds } from '../media/testing/files.ts'
import { serviceName } from '../names.ts'

const tenant = 'acme'
let root = ''
let folder = ''
let app: TestApp
let processes: Children
let headers: Record<string, string>
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'icosa-killed-'))
  await chmod(root, 0o711)
  folder = join(root, 'blobs')
  await mkdir(folder)
  app = await startTestApp({ services: [contributionCollection()], blobs: testNode([], '', folder).blobs })
  processes = children()
  headers = { authorization: `Bearer ${await app.key(tenant)}`, 'content-type': 'application/octet-stream' }
})
afterAll(async () => {
  await processes[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
  await rm(root, { recursive: true, force: true })
})

async function start(role: 'api' | 'worker'): Promise<{ node: ChildProcess; url: string }> {
  const state = join(root, 'sandbox')
  const node = fork(new URL('../testing/node.ts', import.meta.url), [app.databaseUrl, folder, state, role])
  const [url] = await once(processes.add(node), 'message')
  return { node, url: `${url}/${serviceName}` }
}

async function kill(node: ChildProcess): Promise<void> {
  node.kill('SIGKILL')
  await once(node, 'exit')
}

const keys = async () => {
  const { items } = await app.platform.blobsOf(serviceName, tenant).list('', { limit: 1_000 })
  return items.map(({ key }) => key)
}
const countOf = async (table: string) => {
  const [{ count } = { count: -1 }] = (await app.platform.database.script(
    `select count(*)::int as count from contribution_collection.${table} where tenant = '${tenant}'`,
  )) as { count: number }[]
  return count
}
const soon = { timeout: 120_000, interval: 20 }

test('a deletion interrupted by a killed worker is completed, rows and blobs', { timeout: 300_000 }, async () => {
  const contributions = sized(200, 2_000)
  await fill(app.platform, { tenant, contributions, bytes: 10_000, folder })
  const target = { baseUrl: `${app.url}/${serviceName}`, headers: { authorization: headers.authorization as string } }
  const desk = client(contracts.assignments, target)
  const [assignment] = (await desk.listAssignments({})).body
  await desk.deleteAssignment({ params: { id: assignment?.id as string } })
  const { node } = await start('worker')
  await expect.poll(() => countOf('contributions'), soon).toBeLessThan(contributions * 0.8)
  await kill(node)
  const remaining = await countOf('contributions')
  expect(remaining, 'killed in the middle').toBeGreaterThan(0)
  await expireClaims(app.platform.database)
  const second = await start('worker')
  await expect.poll(() => countOf('contributions'), soon).toBe(0)
  // The job polls until all contributions are deleted.
  const assignments = async () => {
    await app.clock.advance(500)
    return countOf('assignments')
  }
  await expect.poll(assignments, { ...soon, interval: 200 }).toBe(0)
  await expect.poll(keys, soon).toEqual([])
  expect([await countOf('media'), await countOf('media_usages')]).toEqual([0, 0])
  await kill(second.node)
  console.log(`${contributions} contributions: killed with ${remaining} left, all deleted`)
})

test('an upload to a killed node leaves nothing behind, and can be retried', {
  timeout: 300_000,
}, async () => {
  const { node, url } = await start('api')
  const head = (await film('a.mp4', [...test2seconds, '-s', '64x48'])).subarray(0, 4_000)
  const piece = Buffer.alloc(2 ** 20, 'film')
  let isOver = false
  const sending = fetch(`${url}/media`, {
    method: 'POST',
    headers,
    duplex: 'half',
    body: new ReadableStream({
      start: (controller) => controller.enqueue(head),
      async pull(controller) {
        if (isOver) return controller.close()
        await new Promise((resolve) => setTimeout(resolve, 5))
        controller.enqueue(piece)
      },
    }),
  } as RequestInit).then(
    ({ status }) => status,
    () => 'broken off',
  )
  const incoming = join(folder, 'incoming')
  const received = async () => {
    const sizes = await Promise.all(
      (await readdir(incoming)).map(async (name) => (await stat(join(incoming, name))).size),
    )
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  await expect.poll(received, soon).toBeGreaterThan(20 * 2 ** 20)
  await kill(node)
  isOver = true
  expect(await sending).toBe('broken off')
  expect([await keys(), await countOf('media')]).toEqual([[], 0])
  // Unfinished uploads are deleted at the first start after a day.
  for (const name of await readdir(incoming)) await utimes(join(incoming, name), 0, 0)
  const next = await start('api')
  expect(await readdir(incoming)).toEqual([])
  const retry = await fetch(`${next.url}/media`, { method: 'POST', headers, body: Buffer.concat([head, piece]) })
  expect(retry.status).toBe(200)
  expect(await keys()).toHaveLength(1)
  await kill(next.node)
  await app.platform.database.run(sql`delete from contribution_collection.media where tenant = ${tenant}`)
  for (const key of await keys()) await app.platform.blobsOf(serviceName, tenant).delete(key)
})

test('the next worker converts a film whose worker was killed', { timeout: 300_000 }, async () => {
  const seconds = sized(8, 60)
  const args = ['-f', 'lavfi', '-i', `testsrc2=duration=${seconds}:size=1280x720:rate=25`, '-preset', 'ultrafast']
  const response = await fetch(`${app.url}/${serviceName}/media`, {
    method: 'POST',
    headers,
    body: await film('a.mp4', args),
  })
  const { id } = (await response.json()) as { id: string }
  const rowOf = () =>
    app.platform.database.one<{ status: string; step: string | null; variants: { label: string }[] }>(sql`
      select status, step, variants from contribution_collection.media where tenant = ${tenant} and id = ${id}`)
  const { node } = await start('worker')
  await expect.poll(async () => (await rowOf()).step, soon).toBe('converting')
  await kill(node)
  const half = await rowOf()
  expect([half.status, half.variants], 'no partial results are visible').toEqual(['processing', []])
  expect((await keys()).filter((key) => key.endsWith('/fullsize'))).toEqual([])
  // Films are on the worker's disk while they are read. Leftovers are deleted with the first film after a day.
  const films = join(root, 'sandbox', 'films')
  for (const name of await readdir(films)) await utimes(join(films, name), 0, 0)
  await expireClaims(app.platform.database)
  const second = await start('worker')
  await expect.poll(async () => (await rowOf()).status, soon).toBe('ready')
  const labels = (await rowOf()).variants.map(({ label }) => label)
  expect(labels).toEqual(['thumbnail', 'poster', 'fullsize'])
  const files = (await keys()).map((key) => key.split('/').at(-1))
  expect(files.toSorted(), 'each rendition once').toEqual([...labels, 'original'].toSorted())
  await expect.poll(() => readdir(films), soon).toEqual([])
  await kill(second.node)
})
