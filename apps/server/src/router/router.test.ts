import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { type Database, findTag, type MoveState, raw, setTenantState, sql } from '@icosa/kernel'
import { example, startTestApp, type TestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { changesSince, latestVersion, setTenantRoute } from '../cells/store.ts'
import { createTestDirectory } from '../cells/testing/directory.ts'
import { tagsIn } from '../tenants/named.ts'
import { type FollowOptions, followDirectory } from './follow.ts'
import { readTable } from './table/file.ts'
import { addCell, addTenant, startTestRouter } from './testing/router.ts'

const poll = { timeout: 20_000, interval: 20 }

/** Two cells, with the tenant ada in `a`, the home cell, and bob in `b`. */
async function startCells() {
  const stack = new AsyncDisposableStack()
  const start = async () =>
    stack.use(await startTestApp({ services: [example], trustedProxies: 1, tagIn: tagsIn([example]) }))
  const [a, b] = [await start(), await start()]
  const router = stack.use(await startTestRouter({ cells: { a: a.url, b: b.url } }))
  const keys = { ada: await a.key('ada'), bob: await b.key('bob') }
  await addTenant(router.directory, 'ada', await tagOf(a, 'ada'), 'a')
  await addTenant(router.directory, 'bob', await tagOf(b, 'bob'), 'b')
  await router.followed.refresh()
  const send = (key: string, method = 'GET', path = '/example/notes') =>
    fetch(router.url + path, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify({ title: 'A', text: 'b' }) }),
    })
  const titles = async (app: TestApp, key: string) => {
    const response = await fetch(`${app.url}/example/notes`, { headers: { 'x-api-key': key } })
    return response.status === 200 ? ((await response.json()) as { notes: unknown[] }).notes.length : response.status
  }
  return { a, b, ...router, keys, send, titles, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

async function startRestarted(file: string, options: Omit<FollowOptions, 'file'>) {
  const followed = await followDirectory({ file, ...options })
  return { ...followed, [Symbol.asyncDispose]: () => followed.close() }
}

const readers = (directory: Database): Pick<FollowOptions, 'read' | 'latest'> => ({
  read: (version, limit) => changesSince(directory, version, limit),
  latest: () => latestVersion(directory),
})

/** Resolves when the node receives a request. */
async function requestAt({ url }: TestApp): Promise<void> {
  const received = Promise.withResolvers<void>()
  const listen = (message: unknown) => {
    const { localPort } = (message as { request: IncomingMessage }).request.socket
    if (String(localPort) === new URL(url).port) received.resolve()
  }
  subscribe('http.server.request.start', listen)
  await received.promise.finally(() => unsubscribe('http.server.request.start', listen))
}

async function copyRow(from: TestApp, to: TestApp, table: string): Promise<void> {
  const owner = raw(table === 'tenants' ? 'id' : 'tenant')
  const rows = await from.platform.database.many<{ row: object }>(sql`
    select to_jsonb(t) as row from icosa.${raw(table)} as t where ${owner} = 'ada'`)
  for (const { row } of rows)
    await to.platform.database.run(sql`
      insert into icosa.${raw(table)} select * from jsonb_populate_record(null::icosa.${raw(table)}, ${JSON.stringify(row)}::jsonb)`)
}

const tagOf = async ({ platform }: TestApp, tenant: string) => (await findTag(platform.database, tenant)) as string

test('requests reach the cell of their tenant; unknown ones the home cell, which refuses them', async () => {
  await using cells = await startCells()
  const { a, b, keys, send, titles } = cells
  expect((await send(keys.ada, 'POST')).status).toBe(201)
  expect((await send(keys.bob, 'POST')).status).toBe(201)
  expect((await send(keys.bob, 'POST')).status).toBe(201)
  expect([await titles(a, keys.ada), await titles(b, keys.bob)]).toEqual([1, 2])
  expect([await titles(b, keys.ada), await titles(a, keys.bob)]).toEqual([401, 401])
  for (const key of ['', 'icosa_short', `icosa_${'z'.repeat(12)}_${'x'.repeat(43)}`]) {
    const refused = await send(key)
    expect([refused.status, await refused.json()]).toEqual([
      401,
      await (await fetch(`${a.url}/example/notes`, { headers: { 'x-api-key': key } })).json(),
    ])
  }
  const tag = await tagOf(b, 'bob')
  expect((await send(keys.bob, 'GET', `/~${tag}/example/notes`)).status).toBe(200)
  expect((await send(keys.bob, 'GET', '/healthz')).status).toBe(200)
  expect((await fetch(`${cells.url}/_icosa/router/readyz`)).status).toBe(200)
})

test('a moving tenant waits on hold, and is sent to its new cell, with requests that the old one refused', async () => {
  await using cells = await startCells()
  const { a, b, directory, keys, send, followed } = cells
  const ada = (state: MoveState) => setTenantState(a.platform.database, 'ada', state, 'b')
  for (const table of ['tenants', 'credentials']) await copyRow(a, b, table)
  for (const state of ['copying', 'fenced'] as const) await ada(state)
  const isReceived = requestAt(a)
  const late = send(keys.ada, 'POST') // waits in the old cell, with its body
  await isReceived
  await setTenantRoute(directory, 'ada', { cell: 'a', isHeld: true })
  await followed.refresh()
  const onHold = Array.from({ length: 20 }, (_, index) => send(keys.ada, index % 2 === 0 ? 'POST' : 'GET'))
  expect(await Promise.race([...onHold, late, send(keys.bob).then(({ status }) => `bob ${status}`)])).toBe('bob 200')

  await ada('moved')
  await setTenantRoute(directory, 'ada', { cell: 'b', isHeld: false })
  expect((await late).status).toBe(201)
  expect(new Set((await Promise.all(onHold)).map(({ status }) => status))).toEqual(new Set([200, 201]))
  expect(await cells.titles(b, keys.ada), 'each once').toBe(11)
  expect(await cells.titles(a, keys.ada)).toBe(421)
})

test('a cell that a tenant has left tells routers where it is, and routers tell no one', async () => {
  await using cells = await startCells()
  const { a, b, keys, send, followed } = cells
  const tag = await tagOf(a, 'ada')
  for (const table of ['tenants', 'credentials']) await copyRow(a, b, table)
  for (const state of ['copying', 'fenced', 'moved'] as const)
    await setTenantState(a.platform.database, 'ada', state, 'b')
  for (const table of ['credentials', 'names', 'tenants'])
    await a.platform.database.run(sql`
      delete from icosa.${raw(table)} where ${raw(table === 'tenants' ? 'id' : 'tenant')} = 'ada'`)

  // The directory knows nothing of it yet, as if the router could not read it.
  expect(followed.table.find({ by: 'tag', value: tag })?.cell.name).toBe('a')
  await expect.poll(async () => (await send(keys.ada)).status, poll).toBe(200) // once credentials are read again
  expect((await send(keys.ada, 'POST')).status).toBe(201)
  expect(await cells.titles(b, keys.ada)).toBe(1)
  const large = await fetch(`${cells.url}/example/notes`, {
    method: 'POST',
    headers: { 'x-api-key': keys.ada, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'A', text: 'b'.repeat(100_000) }),
  })
  expect([large.status, large.headers.get('retry-after'), large.headers.get('icosa-cell')]).toEqual([503, '1', null])

  const directly = async (key: string, path = '/example/notes', url = a.url) => {
    const { status, headers } = await fetch(url + path, { headers: { 'x-api-key': key } })
    return [status, headers.get('icosa-cell')]
  }
  const forged = `icosa_${tag}_${'x'.repeat(43)}`
  expect(await directly(keys.ada)).toEqual([421, 'b'])
  expect(await directly(keys.bob), 'its tag was never here').toEqual([401, null])
  expect(await directly(`icosa_${'z'.repeat(12)}_${'x'.repeat(43)}`)).toEqual([401, null])
  expect(await directly(forged, undefined, cells.url), 'refused by the right cell').toEqual([401, null])
  for (const state of ['copying', 'fenced', 'moved'] as const)
    await setTenantState(b.platform.database, 'ada', state, 'c')
  const refused = await send(keys.ada, 'POST')
  expect([refused.status, refused.headers.get('icosa-cell')]).toEqual([503, null])
  expect(await refused.text()).not.toMatch(/'[abc]'/)

  await setTenantState(a.platform.database, 'ada', 'active', '')
  expect(await directly(keys.ada), 'it may have come back').toEqual([401, null])
})

test('without the directory, routing goes on, and begins again from the file', async () => {
  await using cells = await startCells()
  const { keys, send, file, followed } = cells
  await expect.poll(async () => (await readTable(file))?.version, poll).toBe(followed.table.version)
  const fail = () => Promise.reject(new Error('away'))
  const away = { read: fail, latest: fail, say: () => {} }
  await using again = await startRestarted(file, away)
  expect(again.table.version).toBe(followed.table.version)
  expect(again.table.find({ by: 'tenant', value: 'bob' })?.cell.name).toBe('b')
  expect((await send(keys.bob)).status).toBe(200)

  const content = await readFile(file)
  for (const damaged of [
    content.subarray(0, -1),
    content.with(content.length - 3, 255),
    Buffer.from('x'),
    Buffer.alloc(0),
  ]) {
    await writeFile(file, damaged)
    await expect(followDirectory({ file, ...away })).rejects.toThrow('the directory cannot be read: away')
    const lines: string[] = []
    const restored = await followDirectory({
      file,
      ...readers(cells.directory),
      say: (line) => lines.push(line),
    })
    expect(lines[0]).toContain('is damaged')
    expect(restored.table.version).toBe(followed.table.version)
    await restored.close()
    expect((await readFile(file)).equals(content)).toBe(true)
  }
})

test('a directory that was created again, with lower versions, is read from the beginning', async () => {
  await using cells = await startCells()
  const { file, followed, a, b } = cells
  await expect.poll(async () => (await readTable(file))?.version, poll).toBe(followed.table.version)
  await using anew = await createTestDirectory()
  for (const [name, { url }] of Object.entries({ a, b })) await addCell(anew.database, name, url, name === 'a')
  await addTenant(anew.database, 'bob', await tagOf(b, 'bob'), 'a')
  const lines: string[] = []
  await using again = await startRestarted(file, { ...readers(anew.database), say: (line) => void lines.push(line) })
  await again.refresh()
  expect(lines.join()).toContain('reading everything again')
  expect(again.table.find({ by: 'tenant', value: 'bob' })?.cell.name).toBe('a')
})
