import { Type } from '@icosa/contract'
import { Failure, type Incoming, type Kind } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { arm, namespaced } from './contract.ts'
import { groupId, parseResourceId, resourceId } from './ids.ts'
import { pollHeaders } from './polling.ts'
import { armServer } from './server.ts'
import { respelling } from './spelling.ts'
import { checkVersion } from './versions.ts'

const Plant = Type.Object({
  id: namespaced(),
  note: Type.String(),
  beds: Type.Array(Type.Object({ id: namespaced() })),
  byName: Type.Record(namespaced()),
  either: Type.Union(namespaced(), Type.Object({ id: namespaced() })),
})
const idIn = (namespace: string) => `/subscriptions/Vendor.Garden/resourceGroups/g/providers/${namespace}/plants/p`
const plantIn = (namespace: string) => ({
  id: idIn(namespace),
  note: idIn('Vendor.Garden'),
  beds: [{ id: `${namespace}/beds` }, { id: `/providers/${namespace}/beds` }],
  byName: { a: namespace, b: `/subscriptions/s/providers/${namespace}` },
  either: { id: `${namespace}/x` },
})

test('a namespace is respelled only in texts whose schema is namespaced', () => {
  const respelled = respelling('Vendor.Garden', 'Maker.Garden')
  for (const _ of [1, 2]) expect(respelled(Plant, plantIn('Vendor.Garden'))).toEqual(plantIn('Maker.Garden'))
  expect(respelled(Plant, { id: 7, beds: { id: 1 }, byName: ['Vendor.Garden'], either: null })).toEqual({
    id: 7,
    beds: { id: 1 },
    byName: ['Vendor.Garden'],
    either: null,
  })
  for (const body of [undefined, null, 'Vendor.Garden', [plantIn('Vendor.Garden')]])
    expect(respelled(Plant, body)).toEqual(body)
  const plain = Type.Object({ id: Type.String() })
  const body = { id: idIn('Vendor.Garden') }
  expect(respelled(plain, body)).toBe(body)
  expect(respelled(namespaced(), 'Vendor.Garden/plants')).toBe('Maker.Garden/plants')
})

test.each([
  'Vendor.Gardens/plants',
  'VendorxGarden/plants',
  'x/Vendor.Garden/plants',
  'x/providers/Vendor.Garden/plants',
  '/subscriptions/s/resourceGroups/g/x/providers/Vendor.Garden/plants',
  '/subscriptions//providers/Vendor.Garden/plants',
  '/subscriptions/s/resourceGroups//providers/Vendor.Garden',
])('%s is not respelled', (text) => {
  expect(respelling('Vendor.Garden', 'Maker.Garden')(namespaced(), text)).toBe(text)
})

const versions = ['2019-10-01', '2017-01-01'] as const
const codeOf = (version: string | null, isStrict = false) => {
  try {
    checkVersion(version, versions, isStrict)
    return undefined
  } catch (error) {
    return (error as { code: string }).code
  }
}

test('known and newer versions are accepted, unknown ones refused in strict mode', () => {
  expect(
    ['2019-10-01', '2017-01-01', '2019-10-02', '2019-10-01-preview', '2031-12-31'].map((version) => codeOf(version)),
  ).toEqual(Array(5).fill(undefined))
  expect([codeOf('2017-01-01', true), codeOf('2019-10-02', true)]).toEqual([undefined, 'InvalidApiVersionParameter'])
  for (const invalid of [
    '2019-09-30',
    '2018-01-01',
    '2031-02-30',
    '2031-13-01',
    'x2031-01-01',
    '2031-01-01x',
    '',
    'latest',
  ])
    expect(codeOf(invalid), invalid).toBe('InvalidApiVersionParameter')
  const isPreview = () => checkVersion('2019-10-01', ['2019-10-01-preview'], false)
  expect(isPreview, 'released after its preview').not.toThrow()
  expect(codeOf('2031-01-01-previews')).toBe('InvalidApiVersionParameter')
  expect(codeOf(null)).toBe('MissingApiVersionParameter')
})

const scope = { subscriptionId: 'Main', resourceGroupName: 'Shop' }

test('parses the ids it builds', () => {
  const id = resourceId(scope, 'Vendor.Sql', 'servers', 'eu', 'databases', 'a')
  expect(id).toBe('/subscriptions/Main/resourceGroups/Shop/providers/Vendor.Sql/servers/eu/databases/a')
  expect(groupId(scope)).toBe('/subscriptions/Main/resourceGroups/Shop')
  const parsed = { ...scope, namespace: 'Vendor.Sql', segments: ['servers', 'eu', 'databases', 'a'] }
  expect(parseResourceId(id)).toEqual(parsed)
  expect(parseResourceId(id.replace('resourceGroups', 'RESOURCEGROUPS'))).toEqual(parsed)
  for (const invalid of [
    `x${id}`,
    groupId(scope),
    id.replace('Main', ''),
    id.replace('Shop', ''),
    id.replace('Vendor.Sql', ''),
  ])
    expect(parseResourceId(invalid), invalid).toBeUndefined()
  expect(parseResourceId(`${groupId(scope)}/providers/Vendor.Sql/`)).toBeUndefined()
})

test('poll URLs keep the prefix and the subscription of the request', () => {
  const at = (path: string) => ({ url: new URL(path, 'https://icosa.test') }) as Incoming
  const headers = pollHeaders(at('/shop/Subscriptions/Main/x/subscriptions/y'), 'Vendor.Sql', '7', '2019-10-01')
  const root = 'https://icosa.test/shop/subscriptions/Main/providers/Vendor.Sql/locations/global'
  expect(headers).toEqual({
    'azure-asyncoperation': `${root}/operationStatuses/7?api-version=2019-10-01`,
    location: `${root}/operationResults/7?api-version=2019-10-01`,
    'retry-after': '1',
  })
})

const server = armServer(arm('Vendor.Sql'), { original: 'Maker.Sql', versions: ['2019-10-01'] })

test.each<[Kind, number, string]>([
  ['invalid', 400, 'InvalidRequestContent'],
  ['unauthenticated', 401, 'InvalidAuthenticationToken'],
  ['forbidden', 403, 'AuthorizationFailed'],
  ['notFound', 404, 'ResourceNotFound'],
  ['wrongMethod', 405, 'MethodNotAllowed'],
  ['alreadyExists', 409, 'Conflict'],
  ['conflict', 409, 'Conflict'],
  ['preconditionFailed', 412, 'PreconditionFailed'],
  ['tooLarge', 413, 'RequestEntityTooLarge'],
  ['lengthRequired', 411, 'LengthRequired'],
  ['unsupportedMediaType', 415, 'UnsupportedMediaType'],
  ['rateLimited', 429, 'TooManyRequests'],
  ['limitReached', 403, 'QuotaExceeded'],
  ['notImplemented', 501, 'NotImplemented'],
  ['unavailable', 503, 'ServiceUnavailable'],
  ['internal', 500, 'InternalServerError'],
])('a failure of kind %s has the status %i and the code %s', (kind, status, code) => {
  const failed = (details: Failure['details']) => server.failure(new Failure(kind, 'No.', { details }), {} as Incoming)
  expect(failed([])).toMatchObject({ status, body: { error: { code, message: 'No.' } } })
  expect(failed([]).body).not.toHaveProperty('error.details')
  expect(failed([{ at: '/name', message: 'is too long' }])).toMatchObject({
    body: { error: { details: [{ code, message: 'is too long', target: '/name' }] } },
  })
})

test('the address of all providers has subscriptions, resource groups and its own provider', () => {
  const locate = (target: string) => server.locate?.({ target } as Parameters<NonNullable<typeof server.locate>>[0])
  for (const target of [
    '/subscriptions',
    '/subscriptions?api-version=2021-04-01',
    '/subscriptions/main/resourceGroups/shop',
    '/subscriptions/main/providers/Maker.Sql/servers',
    '/subscriptions/main/resourceGroups/shop/providers/vendor.sql/servers',
    '/providers/Vendor.Sql/operations',
  ])
    expect(locate(target), target).toBe(target)
  for (const target of [
    '/',
    '/elsewhere',
    '/x/subscriptions',
    '/subscriptionsx',
    '/subscriptions/main/x',
    '/providers/VendorxSql/operations',
    '/providers/Vendor.Sqlite/operations',
  ])
    expect(locate(target), target).toBeUndefined()
  expect(server.authentication).toEqual({ kind: 'bearer' })
})
