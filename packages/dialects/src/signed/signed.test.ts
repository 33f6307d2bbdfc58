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

const sign = (one: Draft, by: Partial<Signer> = {}, signing?: Signing) =>
  signInHeader(one, app.url, { ...signer, ...by }, signing)
const ask = (one: Draft) => exchange(app.url, one)
const refusal = (name: string, status = 403) => ({
  status,
  headers: { 'x-amzn-errortype': name },
  body: { __type: name },
})
const changed = ({ headers, ...rest }: Draft, name: string, value: string): Draft => ({
  ...rest,
  headers: headers.map(([one, old]) => [one, one === name ? value : old]),
})

describe('is let in', () => {
  test('signed in the header, under the prefix of the service, an encoded name in its path', async () => {
    const answer = await ask(sign(draft('GET', path)))
    expect(answer).toMatchObject({ status: 200, body: { Arn: arn, NextToken: 'page-two' } })
    expect(answer.headers['x-amzn-requestid']).toBeTruthy()
  })

  test('at the root, found by the name for which it is signed', async () => {
    expect(await ask(sign(draft('GET', path.slice('/shop'.length))))).toMatchObject({ status: 200 })
    expect(await ask(sign(draft('POST', '/shop/sales')))).toMatchObject({ status: 200 })
    expect(await ask(sign(draft('POST', '/shop/shop/sales/')))).toMatchObject({ status: 200 })
    expect(await ask(presign(draft('GET', '/books/x'), app.url, signer, 60))).toMatchObject({ status: 200 })
  })

  test('with a body, whether or not its hash is in a header; without one, as if it were empty', async () => {
    const one = draft('PUT', path, '{"Note":"a good one"}')
    expect(await ask(sign(one))).toMatchObject({ status: 200, body: { Note: 'a good one' } })
    expect(await ask(sign(draft('PUT', path)))).toMatchObject({ status: 200, body: { Arn: arn } })
  })

  test('a quarter of an hour late or early', async () => {
    expect(await ask(sign(draft('GET', path), {}, { at: ago(14 * minute) }))).toMatchObject({ status: 200 })
    expect(await ask(sign(draft('GET', path), {}, { at: ago(-14 * minute) }))).toMatchObject({ status: 200 })
  })

  test('signed in the query, hours ago but for longer', async () => {
    expect(
      await ask(presign(draft('GET', `${path}?b=2&a=1`), app.url, signer, 8_000, ago(120 * minute))),
    ).toMatchObject({
      status: 200,
    })
  })

  test('with a temporary credential and its token', async () => {
    const session = await temporary(minute)
    expect(await ask(sign(draft('GET', path), session))).toMatchObject({ status: 200 })
    expect(await ask(presign(draft('GET', path), app.url, { ...signer, ...session }, 60))).toMatchObject({
      status: 200,
    })
  })
})

describe('is refused', () => {
  test.each([16 * minute, -16 * minute])('signed %i ms ago', async (ms) => {
    const answer = await ask(sign(draft('GET', path), {}, { at: ago(ms) }))
    expect(answer).toMatchObject(refusal('InvalidSignatureException'))
    expect(
      Math.abs(Date.parse(answer.headers.date as string) - Date.now()),
      'clients set their clocks by it',
    ).toBeLessThan(2_000)
  })

  test.each([
    ['another region', { region: 'eu-west-1' }],
    ['another secret', { secret: 'wrong' }],
    ['a session token that it has not', { sessionToken: 'invented' }],
  ])('for %s', async (_, by) => {
    const answer = await ask(sign(draft('GET', path), by))
    expect(answer.status).toBe(403)
  })

  test('for another service or another day', async () => {
    expect(await ask(sign(draft('GET', path), { service: 'backup' }))).toMatchObject(
      refusal('InvalidSignatureException'),
    )
    const one = sign(draft('GET', path))
    const [, authorization = ''] = one.headers.find(([name]) => name === 'authorization') ?? []
    expect(await ask(changed(one, 'authorization', authorization.replace(/\/\d{8}\//, '/20150830/')))).toMatchObject(
      refusal('InvalidSignatureException'),
    )
  })

  test('by an unknown key, by its name, after the same work', async () => {
    expect(await ask(sign(draft('GET', path), { id: 'AKI00000000000000000' }))).toMatchObject(
      refusal('UnrecognizedClientException'),
    )
  })

  test('with the host or a header of the protocol not signed', async () => {
    const unsigned = (name: string) => sign(draft('GET', path), {}, { only: (one) => one !== name })
    expect(await ask(unsigned('host'))).toMatchObject(refusal('InvalidSignatureException'))
    expect(await ask(unsigned('x-amz-date'))).toMatchObject(refusal('InvalidSignatureException'))
    const one = sign(draft('GET', path))
    expect(await ask({ ...one, headers: [...one.headers, ['x-amz-more', '1']] })).toMatchObject(
      refusal('InvalidSignatureException'),
    )
  })

  test('with anything changed after signing', async () => {
    const one = sign({ ...draft('PUT', path, '{"Note":"a good one"}'), headers: [['x-shelf', 'B7']] })
    expect(await ask({ ...one, body: '{"Note":"a bad one"}' })).toMatchObject(refusal('InvalidSignatureException'))
    expect(await ask({ ...one, target: `${path}x` })).toMatchObject(refusal('InvalidSignatureException'))
    expect(await ask({ ...one, target: `${path}?all=1` })).toMatchObject(refusal('InvalidSignatureException'))
    expect(await ask({ ...one, method: 'GET', body: '' })).toMatchObject(refusal('InvalidSignatureException'))
    expect(await ask(changed(one, 'x-shelf', 'B8'))).toMatchObject(refusal('InvalidSignatureException'))
  })

  test('with the hash of another body, or of none', async () => {
    const one = draft('PUT', path, '{"Note":"a good one"}')
    for (const payloadHash of ['UNSIGNED-PAYLOAD', '0'.repeat(64)])
      expect(await ask(sign(one, {}, { payloadHash }))).toMatchObject(refusal('InvalidSignatureException'))
  })

  test('with a header that is there twice', async () => {
    const one = sign({ ...draft('GET', path), headers: [['x-shelf', 'B7']] })
    expect(await ask({ ...one, headers: [...one.headers, ['x-shelf', 'B7']] })).toMatchObject(
      refusal('InvalidSignatureException'),
    )
    for (const name of ['host', 'authorization']) {
      const [, value = ''] = one.headers.find(([is]) => is === name) ?? []
      expect((await ask({ ...one, headers: [...one.headers, [name, value]] })).status).toBe(400)
    }
  })

  test('signed in the query: expired, for too long, or replayed after its time', async () => {
    const one = presign(draft('GET', path), app.url, signer, 1)
    expect(await ask(one)).toMatchObject({ status: 200 })
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    expect(await ask(one)).toMatchObject(refusal('InvalidSignatureException'))
    expect(await ask(presign(draft('GET', path), app.url, signer, 604_801))).toMatchObject(
      refusal('IncompleteSignatureException', 400),
    )
    const changedExpiry = presign(draft('GET', path), app.url, signer, 60, ago(5 * minute))
    expect(
      await ask({ ...changedExpiry, target: changedExpiry.target.replace('Expires=60', 'Expires=6000') }),
    ).toMatchObject(refusal('InvalidSignatureException'))
  })

  test('a temporary credential without its token, with another, or expired', async () => {
    const session = await temporary(minute)
    const without = { id: session.id, secret: session.secret }
    expect(await ask(sign(draft('GET', path), without))).toMatchObject(refusal('UnrecognizedClientException'))
    expect(await ask(sign(draft('GET', path), { ...session, sessionToken: 'x' }))).toMatchObject(
      refusal('UnrecognizedClientException'),
    )
    expect(await ask(sign(draft('GET', path), await temporary(-minute)))).toMatchObject(
      refusal('ExpiredTokenException'),
    )
  })

  test('not signed at all, or not in a form that we know', async () => {
    expect(await ask({ ...draft('GET', path), headers: [['host', '127.0.0.1']] })).toMatchObject(
      refusal('MissingAuthenticationTokenException'),
    )
    const one = sign(draft('GET', path))
    for (const value of ['Bearer x', 'AWS4-HMAC-SHA256 Credential=a', one.headers.at(-1)?.[1].slice(0, -1) ?? ''])
      expect(await ask(changed(one, 'authorization', value))).toMatchObject(
        refusal('IncompleteSignatureException', 400),
      )
  })

  test('without the permission, which the answer names', async () => {
    const reader = await app.signingSecret('acme', ['shop:Get*'])
    expect(await ask(sign(draft('GET', path), reader))).toMatchObject({ status: 200 })
    const answer = await ask(sign(draft('PUT', path, '{}'), reader))
    expect(answer).toMatchObject(refusal('AccessDeniedException'))
    expect(answer.body.Message).toContain('shop:PutBook')
  })
})

test('failures have names, and members of their own', async () => {
  expect(await ask(sign(draft('GET', '/shop/books/rare')))).toMatchObject({
    ...refusal('OutOfPrintException', 410),
    body: { __type: 'OutOfPrintException', Message: 'It is out of print.', Shelf: 'B7' },
  })
  expect(await ask(sign(draft('GET', '/shop/books/dear')))).toMatchObject(refusal('TooDearException', 402))
  expect(await ask(sign(draft('PUT', path, '{"Note":1}')))).toMatchObject(refusal('ValidationException', 400))
  expect(await ask(sign(draft('PUT', path, '{')))).toMatchObject(refusal('ValidationException', 400))
})

test('a path or a method that there is not is answered in the same form', async () => {
  for (const asked of ['/shop/newspapers', '/newspapers']) {
    const lost = await ask(sign(draft('GET', asked)))
    expect(lost).toMatchObject(refusal('ResourceNotFoundException', 404))
    expect(lost.body).toMatchObject({ Message: `GET ${asked} is not an operation.` })
  }
  const answer = await ask(sign(draft('DELETE', path)))
  expect(answer).toMatchObject(refusal('MethodNotAllowedException', 405))
  expect(answer.headers.allow).toBe('GET, HEAD, PUT')
})

test('a request that names itself has one effect, however often it is sent', async () => {
  const sell = (body: object) => ask(sign(draft('POST', '/shop/shop/sales', JSON.stringify(body))))
  const one = { Title: 'Emma', IdempotencyToken: '5f1c7a9e' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => sell(one)))
  expect(new Set(answers.map(({ body }) => body.Arn)).size).toBe(1)
  expect(await sell({ ...one, Title: 'Ulysses' })).toMatchObject(refusal('ValidationException', 400))
  const without = await Promise.all([sell({ Title: 'Emma' }), sell({ Title: 'Emma' })])
  expect(new Set(without.map(({ body }) => body.Arn)).size).toBe(2)
  await app.clock.advance(25 * 60 * minute)
  expect((await sell(one)).body.Arn, 'a day later it is another').not.toBe(answers[0]?.body.Arn)
})

test('a token counts for its tenant and its operation, to the end of a day', async () => {
  const { database, clock } = app.platform
  await app.clock.move({ frozen: true })
  let calls = 0
  const call = (tenant: string, operation: string, content: unknown = 'this') =>
    database.transaction((db) =>
      once({ db, caller: { tenant }, clock } as Context, { operation, token: 't', content }, async () => ++calls),
    )
  const all = [await call('a', 'x'), await call('a', 'x'), await call('b', 'x'), await call('a', 'y')]
  expect(all).toEqual([1, 1, 2, 3])
  await expect(call('a', 'x', 'that')).rejects.toMatchObject({ kind: 'invalid' })
  await app.clock.advance(24 * 60 * minute)
  expect([await call('a', 'x'), await call('b', 'x'), await call('a', 'y')]).toEqual([1, 2, 3])
  await app.clock.advance(1)
  expect(await call('a', 'x', 'that')).toBe(4)
  const kept = await database.many(
    sql`select tenant, operation from icosa.idempotent_replies where token = 't' order by 1, 2`,
  )
  expect(kept, 'who comes back has its own deleted').toEqual([
    { tenant: 'a', operation: 'x' },
    { tenant: 'b', operation: 'x' },
  ])
})

function temporary(forMs: number) {
  const { database, clock, vault } = app.platform
  const expiresAt = ago(-forMs)
  const credential = { tenant: 'acme', name: 'for a while', permissions: ['*'], expiresAt, session: true }
  return createSigningSecret(database, clock, vault, credential)
}
