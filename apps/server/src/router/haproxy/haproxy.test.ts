import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '@icosa/kernel'
import { example, freePort } from '@icosa/testing'
import { expect, test } from 'vitest'
import { changesSince, latestVersion, setTenantRoute } from '../../cells/store.ts'
import { createTestDirectory } from '../../cells/testing/directory.ts'
import { routingOf } from '../../tenants/routing.ts'
import { followDirectory } from '../follow.ts'
import { startHaproxy } from '../testing/haproxy.ts'
import { addCell, addTenant } from '../testing/router.ts'
import { haproxyPublisher } from './publish.ts'

const poll = { timeout: 20_000, interval: 50 }
const tags = { ada: 'adaadaadaada', bob: 'bcbbcbbcbbcb' }

/** HAProxy before two servers that answer with their names. */
async function routed() {
  const stack = new AsyncDisposableStack()
  const { database } = stack.use(await createTestDirectory())
  for (const [index, name] of ['a', 'b'].entries()) {
    const server = createServer((request, response) => {
      const isMoved = request.headers['x-moved'] !== undefined
      response.writeHead(isMoved ? 421 : 200, isMoved ? { 'icosa-cell': 'b' } : {}).end(name)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    stack.defer(() => {
      server.closeAllConnections()
      server.close()
    })
    await addCell(database, name, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, index === 0)
  }
  await addTenant(database, 'ada', tags.ada, 'a')
  await addTenant(database, 'bob', tags.bob, 'b')
  const folder = await mkdtemp(join(tmpdir(), 'icosa-haproxy-'))
  stack.defer(() => rm(folder, { recursive: true }))
  const port = await freePort()
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const options = { folder, address: { host: '127.0.0.1', port }, rules: routingOf([example]), trustedProxies: 0, say }
  const follow = () => {
    const read = (version: string, limit: number) => changesSince(database, version, limit)
    return followDirectory({
      read,
      latest: () => latestVersion(database),
      file: join(folder, 'routes'),
      say,
      publish: haproxyPublisher(options),
    })
  }
  const followed = await follow()
  stack.defer(() => followed.close())
  await followed.refresh()
  const haproxy = stack.use(await startHaproxy(folder, port))
  const send = (tag: string, headers: Record<string, string> = {}) =>
    fetch(`${haproxy.url}/~${tag}/example/notes`, { headers })
  const cellOf = async (tag: string) => (await send(tag)).text()
  return { database, haproxy, followed, folder, lines, send, cellOf, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('a switch needs no reload, and requests of a tenant on hold wait for it', async () => {
  await using router = await routed()
  const { database, haproxy, followed, send, cellOf, lines } = router
  expect([await cellOf(tags.ada), await cellOf(tags.bob), await cellOf('zzzzzzzzzzzz')]).toEqual(['a', 'b', 'a'])
  await setTenantRoute(database, 'ada', { cell: 'a', isHeld: true })
  await expect.poll(() => lines, poll).toContain('HAProxy has the table.')
  await followed.refresh()
  const onHold = Array.from({ length: 20 }, () => cellOf(tags.ada))
  expect(await Promise.race([...onHold, cellOf(tags.bob)])).toBe('b')
  await setTenantRoute(database, 'ada', { cell: 'b', isHeld: false })
  expect(new Set(await Promise.all(onHold))).toEqual(new Set(['b']))

  await haproxy.restart()
  expect(await cellOf(tags.ada), 'from the files').toBe('b')
  await setTenantRoute(database, 'ada', { cell: 'a', isHeld: false })
  await expect.poll(() => cellOf(tags.ada), poll).toBe('a')
  await setTenantRoute(database, 'ada', { cell: 'a', isHeld: true })
  await expect.poll(async () => (await send(tags.ada)).status, { ...poll, timeout: 30_000 }).toBe(503)
  const moved = await send(tags.bob, { 'x-moved': 'yes' })
  expect([moved.status, moved.headers.get('retry-after')]).toEqual([503, '1'])
}, 60_000)

test('many changes are absorbed by the table; removed and new tenants and names are known at once', async () => {
  await using router = await routed()
  const { database, folder, followed, cellOf } = router
  const overlay = async () => (await readFile(join(folder, 'overlay.map'), 'utf8')).split('\n').length
  await database.run(sql`
    insert into directory.tenants (id, tag, cell)
    select 't' || n, translate(lpad(n::text, 12, 'z'), '01', 'xy'), 'b' from generate_series(1, 10500) as n`)
  await expect.poll(() => cellOf('zzzzzzzyx5xx'), poll).toBe('b') // 10500
  await addTenant(database, 'last', 'lastlastlast'.replaceAll('l', 'm'), 'b')
  await expect.poll(overlay, poll).toBeLessThan(10)
  await expect.poll(() => cellOf('mastmastmast'), poll).toBe('b')
  for (const tag of ['zzzzzzzyx5xx', tags.bob]) expect(await cellOf(tag)).toBe('b')
  await database.run(sql`delete from directory.tenants where id = 'bob'`)
  await expect.poll(() => cellOf(tags.bob), poll).toBe('a')
  expect(followed.table.find({ by: 'tag', value: tags.bob })).toBeUndefined()
}, 60_000)

test('framing that two servers could understand differently is refused, or leaves HAProxy unambiguous', async () => {
  await using router = await routed()
  const { port } = new URL(router.haproxy.url)
  const { connect } = await import('node:net')
  const exchange = async (lines: string) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(lines, 'latin1')
    return (
      await socket
        .setEncoding('latin1')
        .toArray()
        .catch(() => [])
    ).join('')
  }
  for (const headers of [
    'Host: a\r\nHost: b',
    'Host: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b',
    'Host: a\r\nContent-Length: 1\r\nContent-Length: 2',
    'Host: a\r\nContent-Length : 1',
    'Host: a\r\nTransfer-Encoding: xchunked',
  ])
    expect(await exchange(`POST /example/notes HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 4\d\d/,
    )
  const both =
    'POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 40\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n'
  expect((await exchange(`${both}0\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n`)).match(/^HTTP/gm)).toHaveLength(1)
})
