import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { configurationStores } from '../../index.ts'
import { contentHashHeaders, dateHeaders, originalSpelling } from '../../names.ts'
import { startStores } from '../../testing/app.ts'
import { receive, storeClient } from '../../testing/store-client.ts'
import { contentHash, stringToSign } from './signature.ts'

const minute = 60_000

test('only requests with an intact signature are accepted', async () => {
  await using world = await startStores()
  const store = await world.open('guarded')
  await store.put('/kv/color', { value: 'red' })
  const put = (tamper: NonNullable<Parameters<typeof store.send>[2]>['tamper']) =>
    store.send('PUT', '/kv/color', { body: { value: 'blue' }, ...(tamper && { tamper }) })

  const attempts = {
    'another body': put((request) => Object.assign(request, { body: '{"value":"black"}' })),
    'another body with its hash': put((request) => {
      request.body = '{"value":"black"}'
      request.headers[contentHashHeaders[0]] = contentHash(request.body)
    }),
    'another key': put((request) => Object.assign(request, { url: request.url.replace('/kv/color', '/kv/colour') })),
    'another label': put((request) => Object.assign(request, { url: `${request.url}&label=prod` })),
    'another date': put((request) => Object.assign(request.headers, { [dateHeaders[0]]: new Date(0).toUTCString() })),
    'a stale date': store.send('GET', '/kv', { at: new Date(Date.now() - 16 * minute) }),
    'a future date': store.send('GET', '/kv', { at: new Date(Date.now() + 16 * minute) }),
    'a made-up signature': put((request) => {
      request.headers.authorization = (request.headers.authorization ?? '').replace(/Signature=.*/, 'Signature=YWJj')
    }),
  }
  for (const [what, attempt] of Object.entries(attempts)) {
    const { status, headers, body } = await attempt
    expect(status, what).toBe(401)
    expect(headers.get('www-authenticate')).toMatch(
      /^HMAC-SHA256 error="invalid_token" error_description=".+", Bearer$/,
    )
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(body).toMatchObject({ status: 401, type: `${originalSpelling.errors}unauthorized` })
  }
  expect((await store.get('/kv/color')).body.value).toBe('red')

  const anonymous = await receive(fetch(`${world.endpointOf('guarded')}/kv?api-version=1.0`))
  expect(anonymous).toMatchObject({ status: 401 })
  expect(anonymous.headers.get('www-authenticate')).toBe('HMAC-SHA256, Bearer')
})

test('dates are checked by the real clock, even if the platform’s was moved', async () => {
  await using world = await startStores()
  const store = await world.open('guarded')
  await world.app.clock.advance(365 * 24 * 60 * minute)
  expect((await store.get('/kv')).status).toBe(200)
})

test('keys of other stores are refused, also for stores that do not exist', async () => {
  await using world = await startStores()
  await world.open('guarded')
  const [foreign] = await (await world.open('somewhere-else', { tenant: 'other' })).keys()
  for (const name of ['guarded', 'no-such-store', 'x']) {
    const { status, headers } = await storeClient(world.endpointOf(name), foreign as never).get('/kv')
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toContain('Invalid Credential')
  }
})

test('a read-only key can read but not write', async () => {
  await using world = await startStores()
  const store = await world.open('guarded')
  await store.put('/kv/color', { value: 'red' })
  const key = (await store.keys()).find(({ readOnly }) => readOnly)
  const reader = storeClient(world.endpointOf('guarded'), key as never)
  expect((await reader.get('/kv/color')).body.value).toBe('red')
  for (const attempt of [
    reader.put('/kv/color', { value: 'blue' }),
    reader.delete('/kv/color'),
    reader.put('/locks/color'),
    reader.delete('/locks/color'),
    reader.put('/snapshots/s', { filters: [{ key: '*' }] }),
  ])
    expect(await attempt).toMatchObject({ status: 403, body: { status: 403 } })
  expect((await reader.get('/kv/color')).body).toMatchObject({ value: 'red', locked: false })
})

test('a bearer token has its permissions in stores of its tenant', async () => {
  await using world = await startStores()
  await world.open('guarded')
  const call = async (authorization: string, method = 'GET', name = 'guarded') =>
    receive(fetch(`${world.endpointOf(name)}/kv/color?api-version=1.0`, { method, headers: { authorization } }))

  const { authorization: owner } = await world.manager('acme')
  expect((await call(owner, 'PUT')).status).toBe(200)
  expect((await call(owner)).status).toBe(200)
  const { authorization: reader } = await world.manager('acme', ['configuration-stores:KeyValues_Get'])
  expect((await call(reader)).status).toBe(200)
  expect(await call(reader, 'DELETE')).toMatchObject({
    status: 403,
    body: { detail: 'The credential lacks the permission configuration-stores:KeyValues_Delete.' },
  })
  const { authorization: outsider } = await world.manager('outsider')
  for (const method of ['GET', 'PUT', 'DELETE']) expect((await call(outsider, method)).status).toBe(404)
  expect(await call(outsider, 'GET', 'no-such-store')).toMatchObject({ status: 404 })
  const invalid = await call('Bearer unknown')
  expect(invalid.status).toBe(401)
  expect(invalid.headers.get('www-authenticate')).toBe(
    'HMAC-SHA256, Bearer error="invalid_token", error_description="Authorization token failed validation"',
  )
})

test('a deleted store refuses requests and leaves no rows', async () => {
  await using world = await startStores()
  const store = await world.open('guarded')
  await store.put('/kv/color', { value: 'red' })
  await store.put('/snapshots/s', { filters: [{ key: '*' }] })
  await world.app.jobs.drain()
  await store.manager.stores.delete({ query: { 'api-version': '2022-05-01' }, params: store.params })
  expect((await store.get('/kv/color')).status, 'while it is being deleted').toBe(401)
  await world.app.jobs.drain()
  const [counts] = await world.app.platform.database.many(sql`
    select (select count(*) from configuration_stores.revisions) + (select count(*) from configuration_stores.snapshots)
      + (select count(*) from configuration_stores.snapshot_items) as rows`)
  expect(counts).toEqual({ rows: '0' })

  const recreated = await world.open('guarded')
  expect((await recreated.get('/kv')).body.items, 'a new store with that name is empty').toEqual([])
})

test('behind a proxy, callers sign the public address', async () => {
  const publicUrl = 'https://public.example/api'
  await using world = await startStores({ publicUrls: [publicUrl] })
  const [key] = await (await world.open('proxied')).keys()
  const outside = storeClient(`${publicUrl}/configuration-stores/stores/proxied`, key as never)
  const viaProxy = (request: { url: string }) =>
    Object.assign(request, { url: request.url.replace(publicUrl, world.app.url) })
  expect((await outside.send('GET', '/kv?key=a*', { tamper: viaProxy })).status).toBe(200)
  const elsewhere = storeClient('https://other.example/api/configuration-stores/stores/proxied', key as never)
  const viaOtherHost = (request: { url: string }) =>
    Object.assign(request, { url: request.url.replace('https://other.example/api', world.app.url) })
  expect((await elsewhere.send('GET', '/kv?key=a*', { tamper: viaOtherHost })).status).toBe(401)
})

test('Python signs the store’s endpoint as its host', async () => {
  await using world = await startStores()
  const [key] = await (await world.open('from-python')).keys()
  const statusOf = async (path: string, signedPath: string, endpoint: string) => {
    const [date, hash] = [new Date().toUTCString(), contentHash('')]
    const text = stringToSign('GET', signedPath, [date, endpoint.replace('http://', ''), hash])
    const signature = createHmac('sha256', Buffer.from(key?.value ?? '', 'base64'))
      .update(text)
      .digest('base64')
    const names = `${dateHeaders[0]};host;${contentHashHeaders[0]}`
    const headers = {
      [dateHeaders[0]]: date,
      [contentHashHeaders[0]]: hash,
      authorization: `HMAC-SHA256 Credential=${key?.id}&SignedHeaders=${names}&Signature=${signature}`,
    }
    return (await fetch(world.endpointOf('from-python') + path, { headers })).status
  }
  const endpoint = world.endpointOf('from-python')
  const paths = ['/kv?api-version=1.0', '/kv?key=a%2F*&api-version=1.0', '/labels?api-version=1.0']
  for (const path of paths) expect(await statusOf(path, path, endpoint), path).toBe(200)
  const nested = '/kv/stores%2Ffrom-python%2F?api-version=1.0'
  expect(await statusOf(nested, nested, endpoint), 'a key like the path of the store').toBe(404)
  const [path = ''] = paths
  expect(await statusOf(path, '/labels?api-version=1.0', endpoint), 'another path').toBe(401)
  expect(await statusOf(path, path, `${world.app.url}/configuration-stores/stores/other`), 'another store').toBe(401)
})

test('a store can be addressed by a host name', async () => {
  const service = configurationStores({ endpoint: 'https://{name}.config.example' })
  await using world = await startStores({ services: [service] })
  const store = await world.open('By-Host')
  await store.put('/kv/color', { value: 'red' })
  const [key] = await store.keys()
  const statusAt = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const [date, hash] = [new Date().toUTCString(), contentHash('')]
      const text = stringToSign('GET', '/kv/color?api-version=1.0', [date, host, hash])
      const signature = createHmac('sha256', Buffer.from(key?.value ?? '', 'base64'))
        .update(text)
        .digest('base64')
      const names = `${dateHeaders[0]};host;${contentHashHeaders[0]}`
      const headers = {
        host,
        [dateHeaders[0]]: date,
        [contentHashHeaders[0]]: hash,
        authorization: `HMAC-SHA256 Credential=${key?.id}&SignedHeaders=${names}&Signature=${signature}`,
      }
      request(`${world.app.url}/kv/color?api-version=1.0`, { headers }, ({ statusCode }) => resolve(statusCode))
        .once('error', reject)
        .end()
    })
  expect(await statusAt('by-host.config.example')).toBe(200)
  expect(await statusAt('no-store.config.example')).toBe(401)
  expect(await statusAt('by-host.elsewhere.example'), 'another domain').toBe(404)
})
