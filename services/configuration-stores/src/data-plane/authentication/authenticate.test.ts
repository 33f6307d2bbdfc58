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

test('only a request that is signed as it arrives is let in', async () => {
  await using world = await startStores()
  const store = await world.open('guarded')
  await store.put('/kv/color', { value: 'red' })
  const put = (tamper: NonNullable<Parameters<typeof store.send>[2]>['tamper']) =>
    store.send('PUT', '/kv/color', { body: { value: 'blue' }, ...(tamper && { tamper }) })

  const attempts = {
    'another body': put((sent) => Object.assign(sent, { body: '{"value":"black"}' })),
    'another body with its hash': put((sent) => {
      sent.body = '{"value":"black"}'
      sent.headers[contentHashHeaders[0]] = contentHash(sent.body)
    }),
    'another key': put((sent) => Object.assign(sent, { url: sent.url.replace('/kv/color', '/kv/colour') })),
    'another label': put((sent) => Object.assign(sent, { url: `${sent.url}&label=prod` })),
    'another date': put((sent) => Object.assign(sent.headers, { [dateHeaders[0]]: new Date(0).toUTCString() })),
    'a stale date': store.send('GET', '/kv', { at: new Date(Date.now() - 16 * minute) }),
    'a date to come': store.send('GET', '/kv', { at: new Date(Date.now() + 16 * minute) }),
    'a signature of nothing': put((sent) => {
      sent.headers.authorization = (sent.headers.authorization ?? '').replace(/Signature=.*/, 'Signature=YWJj')
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

test('the date is that of the real clock, wherever the platform’s was moved', async () => {
  await using world = await startStores()
  const store = await world.open('guarded')
  await world.app.clock.advance(365 * 24 * 60 * minute)
  expect((await store.get('/kv')).status).toBe(200)
})

test('the key of another store opens nothing, nor does any key where there is no store', async () => {
  await using world = await startStores()
  await world.open('guarded')
  const [foreign] = await (await world.open('somewhere-else', { tenant: 'other' })).keys()
  for (const name of ['guarded', 'no-such-store', 'x']) {
    const { status, headers } = await storeClient(world.endpointOf(name), foreign as never).get('/kv')
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toContain('Invalid Credential')
  }
})

test('a read-only key reads and does not write', async () => {
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

test('a bearer token does what it may, in stores of its tenant', async () => {
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
  const { authorization: stranger } = await world.manager('stranger')
  for (const method of ['GET', 'PUT', 'DELETE']) expect((await call(stranger, method)).status).toBe(404)
  expect(await call(stranger, 'GET', 'no-such-store')).toMatchObject({ status: 404 })
  const wrong = await call('Bearer nobody')
  expect(wrong.status).toBe(401)
  expect(wrong.headers.get('www-authenticate')).toBe(
    'HMAC-SHA256, Bearer error="invalid_token", error_description="Authorization token failed validation"',
  )
})

test('a store that was deleted does not answer, and keeps nothing', async () => {
  await using world = await startStores()
  const store = await world.open('guarded')
  await store.put('/kv/color', { value: 'red' })
  await store.put('/snapshots/s', { filters: [{ key: '*' }] })
  await world.app.jobs.drain()
  await store.manager.stores.delete({ query: { 'api-version': '2022-05-01' }, params: store.params })
  expect((await store.get('/kv/color')).status, 'while it is being deleted').toBe(401)
  await world.app.jobs.drain()
  const [left] = await world.app.platform.database.many(sql`
    select (select count(*) from configuration_stores.revisions) + (select count(*) from configuration_stores.snapshots)
      + (select count(*) from configuration_stores.snapshot_items) as rows`)
  expect(left).toEqual({ rows: '0' })

  const again = await world.open('guarded')
  expect((await again.get('/kv')).body.items, 'the next of that name is empty').toEqual([])
})

test('behind a proxy callers sign the address that they know', async () => {
  const publicUrl = 'https://public.example/api'
  await using world = await startStores({ publicUrls: [publicUrl] })
  const [key] = await (await world.open('proxied')).keys()
  const outside = storeClient(`${publicUrl}/configuration-stores/stores/proxied`, key as never)
  const through = (sent: { url: string }) => Object.assign(sent, { url: sent.url.replace(publicUrl, world.app.url) })
  expect((await outside.send('GET', '/kv?key=a*', { tamper: through })).status).toBe(200)
  const elsewhere = storeClient('https://other.example/api/configuration-stores/stores/proxied', key as never)
  const astray = (sent: { url: string }) =>
    Object.assign(sent, { url: sent.url.replace('https://other.example/api', world.app.url) })
  expect((await elsewhere.send('GET', '/kv?key=a*', { tamper: astray })).status).toBe(401)
})

test('a store can be addressed by the name of a host', async () => {
  const service = configurationStores({ endpoint: 'https://{name}.config.example' })
  await using world = await startStores({ services: [service] })
  const store = await world.open('By-Host')
  await store.put('/kv/color', { value: 'red' })
  const [key] = await store.keys()
  const ask = (host: string) =>
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
  expect(await ask('by-host.config.example')).toBe(200)
  expect(await ask('no-store.config.example')).toBe(401)
  expect(await ask('by-host.elsewhere.example'), 'no such place').toBe(404)
})
