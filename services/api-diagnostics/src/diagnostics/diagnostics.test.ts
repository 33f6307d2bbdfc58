import { expect, test } from 'vitest'
import { originalNamespace } from '../names.ts'
import { clientOf, local, service, settings, start } from '../testing/app.ts'

const any = { headers: { 'if-match': '*' } }

test('a diagnostic is created, read case-insensitively, changed, listed and deleted', async () => {
  await using app = await start()
  const owner = await clientOf(app)
  const id =
    '/subscriptions/sub-1/resourceGroups/Group/providers/Vendor.ApiManagement/service/braille-translation/diagnostics/Local'

  const created = await owner.createOrUpdate({ params: local, body: { properties: settings } })
  const type = 'Vendor.ApiManagement/service/diagnostics'
  expect(created).toMatchObject({ status: 201, body: { id, name: 'Local', type, properties: settings } })
  const first = created.headers.get('etag') ?? ''
  expect(first).toMatch(/^"[\w-]{16}"$/)

  const upperCase = { subscriptionId: 'SUB-1', resourceGroupName: 'GROUP', serviceName: 'Braille-Translation' }
  const response = await owner.get({ params: { ...upperCase, diagnosticId: 'LOCAL' } })
  expect(response).toMatchObject({ status: 200, body: created.body })
  expect(response.headers.get('etag')).toBe(first)
  expect((await owner.getEntityTag({ params: local })).headers.get('etag')).toBe(first)

  const patched = await owner.update({
    params: local,
    headers: { 'if-match': first },
    body: { properties: { sampling: { percentage: 50 }, logClientIp: true } },
  })
  const second = patched.headers.get('etag')
  expect(patched.status).toBe(204)
  expect(second).not.toBe(first)
  expect((await owner.get({ params: local })).body.properties).toEqual({
    ...settings,
    sampling: { samplingType: 'fixed', percentage: 50 },
    logClientIp: true,
  })

  const replaced = await owner.createOrUpdate({ params: local, body: { properties: { loggerId: 'other' } } })
  expect(replaced).toMatchObject({ status: 200, body: { name: 'Local', properties: { loggerId: 'other' } } })
  expect(replaced.body.properties).toEqual({ loggerId: 'other' })
  expect([first, second]).not.toContain(replaced.headers.get('etag'))

  await owner.createOrUpdate({ params: { ...local, diagnosticId: 'insights' }, body: created.body })
  expect((await owner.list({ params: service })).body.value.map(({ name }) => name)).toEqual(['insights', 'Local'])

  expect(await owner.delete({ params: local, ...any })).toMatchObject({ status: 200 })
  expect(await owner.delete({ params: local, ...any })).toMatchObject({ status: 204 })
  await expect(owner.get({ params: local })).rejects.toMatchObject({
    status: 404,
    body: { error: { code: 'ResourceNotFound' } },
  })
})

test('replies use the original spelling if the request does, and later versions get the entity from PATCH', async () => {
  await using app = await start()
  const headers = { authorization: `Bearer ${await app.key('acme')}`, 'content-type': 'application/json' }
  const path = `/subscriptions/sub-1/resourceGroups/Group/providers/${originalNamespace}/service/shop/diagnostics/monitor`
  const send = (method: string, version: string, properties: object, ifMatch?: string) =>
    fetch(`${app.url}/api-diagnostics${path}?api-version=${version}`, {
      method,
      headers: { ...headers, ...(ifMatch && { 'if-match': ifMatch }) },
      body: JSON.stringify({ properties }),
    })

  const unknown = await send('PUT', '2021-08-01', { loggerId: 'mine', unknown: 1 })
  expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringContaining('unknown')])
  const created = await send('PUT', '2021-08-01', { loggerId: 'mine' })
  expect(created.status).toBe(201)
  expect(await created.json()).toEqual({
    id: path,
    name: 'monitor',
    type: `${originalNamespace}/service/diagnostics`,
    properties: { loggerId: 'mine' },
  })

  for (const version of ['2019-12-01-preview', '2019-12-01']) {
    const older = await send('PATCH', version, { verbosity: 'error' }, '*')
    expect([older.status, await older.text()]).toEqual([204, ''])
  }
  for (const version of ['2021-08-01', '2022-08-01']) {
    const later = await send('PATCH', version, { logClientIp: true }, '*')
    expect(later.status).toBe(200)
    expect(later.headers.get('content-type')).toMatch(/^application\/json/)
    expect(later.headers.get('etag')).toMatch(/^"/)
    expect(await later.json()).toMatchObject({
      id: path,
      properties: { loggerId: 'mine', verbosity: 'error', logClientIp: true },
    })
  }
})

test('an ETag prevents lost updates', async () => {
  await using app = await start()
  const owner = await clientOf(app)
  const { headers } = await owner.createOrUpdate({ params: local, body: { properties: settings } })
  const stale = { headers: { 'if-match': headers.get('etag') ?? '' } }
  const body = { properties: { logClientIp: true } }
  await owner.update({ params: local, ...stale, body })

  const refused = { status: 412, body: { error: { code: 'PreconditionFailed' } } }
  await expect(owner.update({ params: local, ...stale, body })).rejects.toMatchObject(refused)
  await expect(owner.delete({ params: local, ...stale })).rejects.toMatchObject(refused)
  await expect(owner.createOrUpdate({ params: local, ...stale, body: { properties: settings } })).rejects.toMatchObject(
    refused,
  )
  const absent = { ...local, diagnosticId: 'absent' }
  await expect(
    owner.createOrUpdate({ params: absent, ...stale, body: { properties: settings } }),
  ).rejects.toMatchObject(refused)

  const missing = { status: 400, body: { error: { message: expect.stringContaining('if-match is required') } } }
  await expect(owner.update({ params: local, body })).rejects.toMatchObject(missing)
  await expect(owner.delete({ params: local })).rejects.toMatchObject(missing)
  const unquoted = { headers: { 'if-match': 'unquoted' } }
  await expect(owner.delete({ params: local, ...unquoted })).rejects.toMatchObject({ status: 400 })

  const current = (await owner.getEntityTag({ params: local })).headers.get('etag') ?? ''
  const weak = { headers: { 'if-match': `W/${current}` } }
  await expect(owner.delete({ params: local, ...weak })).rejects.toMatchObject(refused)
  const several = { headers: { 'if-match': `"another", ${current}` } }
  expect(await owner.createOrUpdate({ params: local, ...several, body: { properties: settings } })).toMatchObject({
    status: 200,
  })
  expect(await owner.createOrUpdate({ params: absent, ...any, body: { properties: settings } })).toMatchObject({
    status: 201,
  })
  expect(await owner.delete({ params: local, ...any })).toMatchObject({ status: 200 })
})

test('of twenty concurrent updates with the same ETag, one succeeds', async () => {
  await using app = await start()
  const owner = await clientOf(app)
  const { headers } = await owner.createOrUpdate({ params: local, body: { properties: settings } })
  const ifMatch = { 'if-match': headers.get('etag') ?? '' }

  const changes = Array.from({ length: 20 }, (_, index) =>
    owner.update({ params: local, headers: ifMatch, body: { properties: { sampling: { percentage: index } } } }),
  )
  const results = await Promise.allSettled(changes)
  const winners = results.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []))
  expect(winners).toHaveLength(1)
  for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 412 })
  expect((await owner.get({ params: local })).body.properties.sampling?.percentage).toBe(winners[0])
})

test('of twenty concurrent PUTs, one creates and the others replace', async () => {
  await using app = await start()
  const owner = await clientOf(app)
  const results = await Promise.all(
    Array.from({ length: 20 }, () => owner.createOrUpdate({ params: local, body: { properties: settings } })),
  )
  expect(results.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201])
  expect(new Set(results.map(({ headers }) => headers.get('etag'))).size).toBe(20)
})

test('a subscription belongs to the first tenant that creates something in it', async () => {
  await using app = await start()
  const owner = await clientOf(app)
  const other = await clientOf(app, { tenant: 'other' })
  const body = { properties: settings }
  expect((await other.list({ params: service })).body.value).toEqual([])
  expect(await other.delete({ params: local, ...any })).toMatchObject({ status: 204 })
  await owner.createOrUpdate({ params: local, body })

  const hidden = { status: 404 }
  await expect(other.list({ params: service })).rejects.toMatchObject(hidden)
  await expect(other.get({ params: local })).rejects.toMatchObject(hidden)
  await expect(other.createOrUpdate({ params: local, body })).rejects.toMatchObject(hidden)
  await expect(other.update({ params: local, ...any, body: {} })).rejects.toMatchObject(hidden)
  await expect(other.delete({ params: local, ...any })).rejects.toMatchObject(hidden)
  expect((await owner.get({ params: local })).body.properties).toEqual(settings)

  const elsewhere = { ...local, subscriptionId: 'sub-2' }
  expect(await other.createOrUpdate({ params: elsewhere, body })).toMatchObject({ status: 201 })
  await expect(owner.list({ params: { ...service, subscriptionId: 'SUB-2' } })).rejects.toMatchObject(hidden)
})

test('of two tenants that claim a subscription concurrently, one gets it', async () => {
  await using app = await start()
  const clients = await Promise.all(['ada', 'bob'].map((tenant) => clientOf(app, { tenant })))
  const results = await Promise.allSettled(
    clients.map((client) => client.createOrUpdate({ params: local, body: { properties: settings } })),
  )
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value.status : result.reason.status)).sort(),
  ).toEqual([201, 404])
})

test('the same name in another group or service is another diagnostic', async () => {
  await using app = await start()
  const owner = await clientOf(app)
  await owner.createOrUpdate({ params: local, body: { properties: settings } })
  for (const other of [{ subscriptionId: 'x' }, { resourceGroupName: 'x' }, { serviceName: 'x' }]) {
    await expect(owner.get({ params: { ...local, ...other } })).rejects.toMatchObject({ status: 404 })
    expect((await owner.list({ params: { ...service, ...other } })).body.value).toEqual([])
  }
})

test('invalid values are refused with their location', async () => {
  await using app = await start()
  const owner = await clientOf(app)
  const put = (params: object, properties: object) =>
    owner.createOrUpdate({ params: { ...local, ...params }, body: { properties: { ...settings, ...properties } } })
  const names: [string, object][] = [
    ['path/diagnosticId', { diagnosticId: 'a*b' }],
    ['path/diagnosticId', { diagnosticId: 'a\0b' }],
    ['path/diagnosticId', { diagnosticId: 'x'.repeat(81) }],
    ['path/serviceName', { serviceName: '1st' }],
    ['path/serviceName', { serviceName: 'x'.repeat(51) }],
    ['path/resourceGroupName', { resourceGroupName: 'a\nb' }],
  ]
  for (const [target, params] of names)
    await expect(put(params, {})).rejects.toMatchObject({ status: 400, body: { error: { details: [{ target }] } } })
  const values: object[] = [
    { sampling: { percentage: 101 } },
    { sampling: { samplingType: 'adaptive' } },
    { frontend: { request: { body: { bytes: 8193 } } } },
    { verbosity: 'loud' },
    { loggerId: undefined },
    { loggerId: 'a\0b' },
  ]
  for (const value of values) await expect(put({}, value)).rejects.toMatchObject({ status: 400 })
})
