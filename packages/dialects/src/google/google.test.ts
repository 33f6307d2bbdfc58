import { named, readOnly, Type } from '@icosa/contract'
import { Failure, type Kind } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { statusOf } from '../status.ts'
import { canonicalOf, httpStatusOf, numberOf } from './codes.ts'
import { enumeration } from './contract.ts'
import { maskedFields, withFields } from './field-mask.ts'
import { normalize } from './normalize.ts'
import { toOperation } from './operations.ts'
import { googleServer } from './server.ts'

const optional = Type.Optional
const Thing = named('Thing', {
  kind: optional(enumeration('KIND_UNSPECIFIED', 'SMALL', 'LARGE')),
  labels: optional(Type.Record(Type.String())),
  parts: optional(Type.Array(Type.Object({ kind: optional(enumeration('NONE', 'ONE')) }))),
  buildConfig: optional(Type.Object({ runTime: optional(Type.String()), source: optional(Type.String()) })),
  state: readOnly(optional(Type.String())),
})

test.each<[unknown, unknown]>([
  [{ kind: 2 }, { kind: 'LARGE' }],
  [{ kind: 'LARGE' }, { kind: 'LARGE' }],
  [{ kind: 9 }, { kind: 9 }], // refused by the validation that follows
  [{ parts: [{ kind: 1 }, { kind: 'NONE' }] }, { parts: [{ kind: 'ONE' }, { kind: 'NONE' }] }],
  [{ build_config: { run_time: 'a' } }, { buildConfig: { runTime: 'a' } }],
  [{ labels: { snake_case: 'kept' }, kind: null }, { labels: { snake_case: 'kept' } }],
  [{ unknown: '', other: { deep: [0, false, 'X_UNSPECIFIED'] } }, {}],
  [{ unknown: 'something' }, { unknown: 'something' }],
  [{ constructor: 'something' }, { constructor: 'something' }],
])('%j is read as %j', (sent, read) => {
  expect(normalize(sent, Thing)).toEqual(read)
})

test.each<[string | undefined, unknown, readonly string[]]>([
  [undefined, { labels: { a: 'b' }, buildConfig: { source: 's' }, state: 'ignored' }, ['labels', 'buildConfig.source']],
  ['labels,build_config.run_time', {}, ['labels', 'buildConfig.runTime']],
  ['buildConfig', {}, ['buildConfig']],
  ['*', {}, ['kind', 'labels', 'parts', 'buildConfig']],
])('the mask %s names fields', (mask, body, fields) => {
  expect(maskedFields(mask, body, Thing).map((path) => path.join('.'))).toEqual(fields)
})

test.each(['nothing', 'state', 'labels.a', 'buildConfig.other', 'constructor', 'buildConfig.toString'])(
  'the mask %s is refused',
  (mask) => {
    expect(() => maskedFields(mask, {}, Thing)).toThrow(mask)
  },
)

test('what a mask names is taken over, or away', () => {
  const current = { labels: { a: '1' }, buildConfig: { runTime: 'x', source: 's' } }
  const change = (body: unknown, ...paths: string[]) =>
    withFields(
      current,
      body,
      paths.map((path) => path.split('.')),
    )
  expect(change({ buildConfig: { source: 't' } }, 'buildConfig.source').buildConfig).toEqual({
    runTime: 'x',
    source: 't',
  })
  expect(change({}, 'labels', 'buildConfig.source')).toEqual({ buildConfig: { runTime: 'x' } })
  expect(change({}, 'buildConfig.source', 'buildConfig.runTime')).toEqual({ labels: { a: '1' } })
  expect(current.buildConfig.source).toBe('s')
})

test.each(Object.keys(statusOf) as Kind[])('a failure that is %s has one code, one number and one status', (kind) => {
  const { failure } = googleServer({ domain: 'things.example.com', roots: [] })
  const { status, body } = failure(new Failure(kind, 'Why.', { code: 'REASON' }), {} as never)
  expect(numberOf(canonicalOf(kind))).toBeGreaterThan(0)
  expect(status).toBe(httpStatusOf(kind))
  expect(body).toMatchObject({
    error: { code: status, message: 'Why.', status: canonicalOf(kind), details: [{ reason: 'REASON' }] },
  })
})

test('an operation that is done has a response or an error, and never both', () => {
  const at = new Date(0)
  const parts = { name: 'operations/1', metadata: {}, responseType: 'a type' }
  const shown = (status: 'pending' | 'succeeded' | 'failed' | 'cancelled', more: object = {}) =>
    toOperation({ status, result: null, error: null, createdAt: at, updatedAt: at, ...more }, parts)
  expect(shown('pending')).toEqual({ name: 'operations/1', done: false, metadata: { createTime: at.toISOString() } })
  expect(shown('succeeded', { result: { a: 1 } }).response).toEqual({ '@type': 'a type', a: 1 })
  expect(shown('succeeded').response).toEqual({ '@type': 'type.googleapis.com/google.protobuf.Empty' })
  expect(shown('failed', { error: { kind: 'alreadyExists', message: 'm' } }).error).toMatchObject({
    code: 6,
    message: 'm',
  })
  expect(shown('cancelled').error).toMatchObject({ code: 1 })
  for (const status of ['succeeded', 'failed', 'cancelled'] as const) {
    const { response, error, done, metadata } = shown(status)
    expect([done, response === undefined, error === undefined]).toEqual([
      true,
      status !== 'succeeded',
      status === 'succeeded',
    ])
    expect(metadata).toHaveProperty('endTime')
  }
})
