import { expect, test } from 'vitest'
import { openapi } from './openapi.ts'
import { type Dialect, operationsOf } from './operation.ts'
import { extension, named, readOnly, Type, withDefault, writable } from './schema.ts'

const dialect: Dialect = {
  name: 'test',
  security: { type: 'apiKey', in: 'header', name: 'X-Key' },
  operationNames: 'unique',
  caseSensitive: true,
  error: named('Error', { message: Type.String() }),
  errorStatuses: [400, 401, 404, 405, 409, 412, 413, 500],
}
const { get, put } = operationsOf(dialect)
const Plan = named('Plan', { id: readOnly(Type.String()), size: Type.Integer() })
const of = (contract: Parameters<typeof openapi>[0]['contracts'][string]) =>
  openapi({ name: 'plans', title: 'Plans', contracts: { plans: contract } })

test('describes an operation: parameters, bodies by reference, errors, permission', () => {
  const document = of({
    putPlan: put('/plans/{name=folders/*}', {
      summary: 'Write a plan.',
      query: Type.Object({ dry: withDefault(Type.Boolean(), false), kind: Type.String() }),
      body: writable(Plan),
      replies: { 200: Plan, 204: null },
    }),
  })
  expect(document.paths['/plans/{name}']?.put).toMatchObject({
    operationId: 'putPlan',
    'x-icosa-permission': 'plans:putPlan',
    parameters: [
      { name: 'name', in: 'path', required: true },
      { name: 'dry', in: 'query', required: false, schema: { type: 'boolean', default: false } },
      { name: 'kind', in: 'query', required: true },
    ],
    requestBody: { content: { 'application/json': { schema: { properties: { size: {} }, required: ['size'] } } } },
    responses: {
      200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Plan' } } } },
      204: { description: 'No content' },
      409: { $ref: '#/components/responses/test-409' },
      default: { $ref: '#/components/responses/test-default' },
    },
  })
  const error = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }
  expect(document.components.responses).toMatchObject({ 'test-409': error, 'test-default': error })
  expect(document.components.schemas.Plan).toMatchObject({ required: ['id', 'size'] })
})

test('an operation lists only errors that it can fail with', () => {
  const details = { summary: '', replies: { 200: Plan } }
  const ifMatch = Type.Object({ 'if-match': Type.Optional(Type.String()) })
  const { paths } = of({
    list: get('/plans', { ...details, open: true }),
    read: get('/plans/{id}', { ...details, headers: ifMatch }),
    write: put('/plans/{id}', { ...details, body: writable(Plan), replies: { 200: Plan, 404: Plan } }),
  })
  const listed = (path: string, method: string) =>
    Object.keys((paths[path]?.[method] as { responses: object } | undefined)?.responses ?? {}).join(' ')
  expect(listed('/plans', 'get')).toBe('200 400 500 default')
  expect(listed('/plans/{id}', 'get')).toBe('200 400 401 404 412 500 default')
  expect(listed('/plans/{id}', 'put')).toBe('200 400 401 404 409 412 413 500 default')
})

test('extensions of the specification are marked', () => {
  const document = of({
    getPlan: get('/plans', {
      summary: '',
      query: Type.Object({ depth: extension(Type.Optional(Type.Integer())) }),
      replies: { 200: Plan },
      media: ['image/png'],
      extension: true,
    }),
  })
  expect(document.paths['/plans']?.get).toMatchObject({
    'x-icosa-extension': true,
    parameters: [{ name: 'depth', required: false, 'x-icosa-extension': true }],
    responses: { 200: { content: { 'image/png': { schema: { contentMediaType: 'image/png' } } } } },
  })
})

test('two schemas with one title are an error, the same schema twice is not', () => {
  const other = named('Plan', { name: Type.String() })
  const details = { summary: '', replies: { 200: Plan } }
  expect(() => of({ a: get('/a', details), b: get('/b', { summary: '', replies: { 200: other } }) })).toThrow(
    "two different schemas with the title 'Plan'",
  )
  expect(() => of({ a: get('/a', details), b: get('/b', details) })).not.toThrow()
})

test('an API at a mount has complete paths, and the media types, headers and HEAD of its contract', () => {
  const text = Type.Optional(Type.String())
  const mounted = operationsOf(
    { ...dialect, errorType: 'application/problem+json', replyHeaders: Type.Object({ 'x-count': text }) },
    { at: '/folders/{folder}' },
  )
  const document = of({
    getPlan: mounted.get('/plans/{planId}', {
      summary: '',
      replies: { 200: Plan, 304: null },
      replyType: 'application/plan+json',
      replyHeaders: Type.Object({ etag: text }),
      head: true,
    }),
  })
  const path = document.paths['/folders/{folder}/plans/{planId}']
  expect(path?.get).toMatchObject({
    parameters: [{ name: 'folder' }, { name: 'planId' }],
    responses: {
      200: {
        content: { 'application/plan+json': { schema: { $ref: '#/components/schemas/Plan' } } },
        headers: { 'x-count': { schema: { type: 'string' } }, etag: { schema: { type: 'string' } } },
      },
      304: { headers: { etag: {} } },
    },
  })
  expect(document.components.responses['test-default']).toMatchObject({ content: { 'application/problem+json': {} } })
  expect(path?.head).toMatchObject({ operationId: 'getPlan_Head', 'x-icosa-permission': 'plans:getPlan' })
})
