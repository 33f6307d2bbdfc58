import { type Context, createSigningSecret, sql } from '@icosa/kernel'
import { startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Signer } from './fetch.ts'
import { once } from './idempotency.ts'
import { type Draft, draft, exchange, presign, type Signing, signInHeader } from './testing/request.ts'
import { shop } from './testing/shop.ts'

let app: TestApp
let signer: Signer
const arn = 'arn:aws:book-shop:us-east-1:acme:book/a b+c(1)'
const path = `/shop/books/${encodeURIComponent(arn)}`
const minute = 60_000
const ago = (ms: number) => new Date(Date.now() - ms)

beforeAll(async () => {
  app = await startTestApp(shop)
  signer = { ...(await app.signingSecret('acme')), region: 'us-east-1', service: 'book-shop' }
})
afterAll(() => app[Symbol.asyncDispose]())

const sign = (request: Draft, by: Partial<Signer> = {}, signing?: Signing) =>
  signInHeader(request, app.url, { ...signer, ...by }, signing)
const send = (request: Draft) => exchange(app.url, request)
const refusal = (name: string, status = 403) => ({
  status,
  headers: { 'x-amzn-errortype': name },
  body: { __type: name },
})
const changed = ({ headers, ...rest }: Draft, name: string, value: string): Draft => ({
  ...rest,
  headers: headers.map(([key, old]) => [key, key === name ? value : old]),
})

describe('accepts a request', () => {
  test('signed in the header, under the prefix of the service, with an encoded name in its path', async () => {
    const response = await send(sign(draft('GET', path)))
    expect(response).toMatchObject({ status: 200, body: { Arn: arn, NextToken: 'page-two' } })
    expect(response.headers['x-amzn-requestid']).toBeTruthy()
  })

  test('at the root, located by the service in its signature', async () => {
    expect(await send(sign(draft('GET', path.slice('/shop'.length))))).toMatchObject({ status: 200 })
    expect(await send(sign(draft('POST', '/shop/sales')))).toMatchObject({ status: 200 })
    expect(await send(sign(draft('POST', '/shop/shop/sales/')))).toMatchObject({ status: 200 })
    expect(await send(presign(draft('GET', '/books/x'), app.url, signer, 60))).toMatchObject({ status: 200 })
  })

  test('with a body, with or without its hash in a header; a missing body counts as empty', async () => {
    const request = draft('PUT', path, '{"Note":"a good one"}')
    expect(await send(sign(request))).toMatchObject({ status: 200, body: { Note: 'a good one' } })
    expect(await send(sign(draft('PUT', path)))).toMatchObject({ status: 200, body: { Arn: arn } })
  })

  test('a quarter of an hour late or early', async () => {
    expect(await send(sign(draft('GET', path), {}, { at: ago(14 * minute) }))).toMatchObject({ status: 200 })
    expect(await send(sign(draft('GET', path), {}, { at: ago(-14 * minute) }))).toMatchObject({ status: 200 })
  })

  test('signed in the query hours ago, before it expires', async () => {
    expect(
      await send(presign(draft('GET', `${path}?b=2&a=1`), app.url, signer, 8_000, ago(120 * minute))),
    ).toMatchObject({
      status: 200,
    })
  })

  test('with a temporary credential and its token', async () => {
    const session = await temporary(minute)
    expect(await send(sign(draft('GET', path), session))).toMatchObject({ status: 200 })
    expect(await send(presign(draft('GET', path), app.url, { ...signer, ...session }, 60))).toMatchObject({
      status: 200,
    })
  })
})

describe('refuses a request', () => {
  test.each([16 * minute, -16 * minute])('signed %i ms ago', async (ms) => {
    const response = await send(sign(draft('GET', path), {}, { at: ago(ms) }))
    expect(response).toMatchObject(refusal('InvalidSignatureException'))
    expect(
      Math.abs(Date.parse(response.headers.date as string) - Date.now()),
      'clients adjust their clocks to it',
    ).toBeLessThan(2_000)
  })

  test.each([
    ['another region', { region: 'eu-west-1' }],
    ['another secret', { secret: 'wrong' }],
    ['a session token of no credential', { sessionToken: 'invented' }],
  ])('for %s', async (_, by) => {
    const response = await send(sign(draft('GET', path), by))
    expect(response.status).toBe(403)
  })

  test('for another service or another day', async () => {
    expect(await send(sign(draft('GET', path), { service: 'backup' }))).toMatchObject(
      refusal('InvalidSignatureException'),
    )
    const request = sign(draft('GET', path))
    const [, authorization = ''] = request.headers.find(([name]) => name === 'authorization') ?? []
    expect(
      await send(changed(request, 'authorization', authorization.replace(/\/\d{8}\//, '/20150830/'))),
    ).toMatchObject(refusal('InvalidSignatureException'))
  })

  test('with an unknown key', async () => {
    expect(await send(sign(draft('GET', path), { id: 'AKI00000000000000000' }))).toMatchObject(
      refusal('UnrecognizedClientException'),
    )
  })

  test('with an unsigned host or protocol header', async () => {
    const unsigned = (name: string) => sign(draft('GET', path), {}, { only: (header) => header !== name })
    expect(await send(unsigned('host'))).toMatchObject(refusal('InvalidSignatureException'))
    expect(await send(unsigned('x-amz-date'))).toMatchObject(refusal('InvalidSignatureException'))
    const request = sign(draft('GET', path))
    expect(await send({ ...request, headers: [...request.headers, ['x-amz-more', '1']] })).toMatchObject(
      refusal('InvalidSignatureException'),
    )
  })

  test('modified after signing', async () => {
    const request = sign({ ...draft('PUT', path, '{"Note":"a good one"}'), headers: [['x-shelf', 'B7']] })
    expect(await send({ ...request, body: '{"Note":"a bad one"}' })).toMatchObject(refusal('InvalidSignatureException'))
    expect(await send({ ...request, target: `${path}x` })).toMatchObject(refusal('InvalidSignatureException'))
    expect(await send({ ...request, target: `${path}?all=1` })).toMatchObject(refusal('InvalidSignatureException'))
    expect(await send({ ...request, method: 'GET', body: '' })).toMatchObject(refusal('InvalidSignatureException'))
    expect(await send(changed(request, 'x-shelf', 'B8'))).toMatchObject(refusal('InvalidSignatureException'))
  })

  test('with the hash of another body, or of none', async () => {
    const request = draft('PUT', path, '{"Note":"a good one"}')
    for (const payloadHash of ['UNSIGNED-PAYLOAD', '0'.repeat(64)])
      expect(await send(sign(request, {}, { payloadHash }))).toMatchObject(refusal('InvalidSignatureException'))
  })

  test('with a duplicate header', async () => {
    const request = sign({ ...draft('GET', path), headers: [['x-shelf', 'B7']] })
    expect(await send({ ...request, headers: [...request.headers, ['x-shelf', 'B7']] })).toMatchObject(
      refusal('InvalidSignatureException'),
    )
    for (const name of ['host', 'authorization']) {
      const [, value = ''] = request.headers.find(([header]) => header === name) ?? []
      expect((await send({ ...request, headers: [...request.headers, [name, value]] })).status).toBe(400)
    }
  })

  test('signed in the query: expired, or valid for too long', async () => {
    const request = presign(draft('GET', path), app.url, signer, 1)
    expect(await send(request)).toMatchObject({ status: 200 })
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    expect(await send(request)).toMatchObject(refusal('InvalidSignatureException'))
    expect(await send(presign(draft('GET', path), app.url, signer, 604_801))).toMatchObject(
      refusal('IncompleteSignatureException', 400),
    )
    const changedExpiry = presign(draft('GET', path), app.url, signer, 60, ago(5 * minute))
    expect(
      await send({ ...changedExpiry, target: changedExpiry.target.replace('Expires=60', 'Expires=6000') }),
    ).toMatchObject(refusal('InvalidSignatureException'))
  })

  test('with a temporary credential without its token, with another, or expired', async () => {
    const session = await temporary(minute)
    const without = { id: session.id, secret: session.secret }
    expect(await send(sign(draft('GET', path), without))).toMatchObject(refusal('UnrecognizedClientException'))
    expect(await send(sign(draft('GET', path), { ...session, sessionToken: 'x' }))).toMatchObject(
      refusal('UnrecognizedClientException'),
    )
    expect(await send(sign(draft('GET', path), await temporary(-minute)))).toMatchObject(
      refusal('ExpiredTokenException'),
    )
  })

  test('unsigned, or signed in an unknown form', async () => {
    expect(await send({ ...draft('GET', path), headers: [['host', '127.0.0.1']] })).toMatchObject(
      refusal('MissingAuthenticationTokenException'),
    )
    const request = sign(draft('GET', path))
    for (const value of ['Bearer x', 'AWS4-HMAC-SHA256 Credential=a', request.headers.at(-1)?.[1].slice(0, -1) ?? ''])
      expect(await send(changed(request, 'authorization', value))).toMatchObject(
        refusal('IncompleteSignatureException', 400),
      )
  })

  test('without the permission, which the response names', async () => {
    const reader = await app.signingSecret('acme', ['shop:Get*'])
    expect(await send(sign(draft('GET', path), reader))).toMatchObject({ status: 200 })
    const response = await send(sign(draft('PUT', path, '{}'), reader))
    expect(response).toMatchObject(refusal('AccessDeniedException'))
    expect(response.body.Message).toContain('shop:PutBook')
  })
})

test('failures have exception names and additional members', async () => {
  expect(await send(sign(draft('GET', '/shop/books/rare')))).toMatchObject({
    ...refusal('OutOfPrintException', 410),
    body: { __type: 'OutOfPrintException', Message: 'It is out of print.', Shelf: 'B7' },
  })
  expect(await send(sign(draft('GET', '/shop/books/dear')))).toMatchObject(refusal('TooDearException', 402))
  expect(await send(sign(draft('PUT', path, '{"Note":1}')))).toMatchObject(refusal('ValidationException', 400))
  expect(await send(sign(draft('PUT', path, '{')))).toMatchObject(refusal('ValidationException', 400))
})

test('unknown paths and methods are answered in the same format', async () => {
  for (const target of ['/shop/newspapers', '/newspapers']) {
    const response = await send(sign(draft('GET', target)))
    expect(response).toMatchObject(refusal('ResourceNotFoundException', 404))
    expect(response.body).toMatchObject({ Message: `GET ${target} is not an operation.` })
  }
  const newer = await send(sign(draft('PUT', '/shop/vouchers/two')))
  expect(newer).toMatchObject(refusal('NotImplementedException', 501))
  expect(newer.body).toMatchObject({ Message: 'PutVoucher is not supported.' })
  const response = await send(sign(draft('DELETE', path)))
  expect(response).toMatchObject(refusal('MethodNotAllowedException', 405))
  expect(response.headers.allow).toBe('GET, HEAD, PUT')
})

test('a request with an idempotency token has one effect, however often it is sent', async () => {
  const sell = (body: object) => send(sign(draft('POST', '/shop/shop/sales', JSON.stringify(body))))
  const request = { Title: 'Emma', IdempotencyToken: '5f1c7a9e' }
  const responses = await Promise.all(Array.from({ length: 20 }, () => sell(request)))
  expect(new Set(responses.map(({ body }) => body.Arn)).size).toBe(1)
  expect(await sell({ ...request, Title: 'Ulysses' })).toMatchObject(refusal('ValidationException', 400))
  const without = await Promise.all([sell({ Title: 'Emma' }), sell({ Title: 'Emma' })])
  expect(new Set(without.map(({ body }) => body.Arn)).size).toBe(2)
  await app.clock.advance(25 * 60 * minute)
  expect((await sell(request)).body.Arn, 'a day later it is a new request').not.toBe(responses[0]?.body.Arn)
})

test('a token is valid for its tenant and operation, for a day', async () => {
  const { database, clock } = app.platform
  await app.clock.move({ frozen: true })
  let calls = 0
  const call = (tenant: string, operation: string, content: unknown = 'this') =>
    database.transaction((db) =>
      once({ db, caller: { tenant }, clock } as Context, { operation, token: 't', content }, async () => ++calls),
    )
  const replies = [await call('a', 'x'), await call('a', 'x'), await call('b', 'x'), await call('a', 'y')]
  expect(replies).toEqual([1, 1, 2, 3])
  await expect(call('a', 'x', 'that')).rejects.toMatchObject({ kind: 'invalid' })
  await app.clock.advance(24 * 60 * minute)
  expect([await call('a', 'x'), await call('b', 'x'), await call('a', 'y')]).toEqual([1, 2, 3])
  await app.clock.advance(1)
  expect(await call('a', 'x', 'that')).toBe(4)
  const rows = await database.many(
    sql`select tenant, operation from icosa.idempotent_replies where token = 't' order by 1, 2`,
  )
  expect(rows, 'a request deletes expired replies of its tenant').toEqual([
    { tenant: 'a', operation: 'x' },
    { tenant: 'b', operation: 'x' },
  ])
})

function temporary(forMs: number) {
  const { database, clock, cellVault } = app.platform
  const expiresAt = ago(-forMs)
  const credential = { tenant: 'acme', name: 'for a while', permissions: ['*'], expiresAt, session: true }
  return createSigningSecret(database, clock, cellVault, credential)
}
