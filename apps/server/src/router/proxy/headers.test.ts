import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { echo, head, routed } from '../testing/wire.ts'

test('headers of the connection stay behind, and all others arrive as they came', async () => {
  await using router = await routed(echo)
  const answer = await router.exchange(
    head(
      ...[
        'GET /a//b/../%2e%41?x=%zz&y HTTP/1.1',
        'Host: Example.COM:81',
        'X-Case: a',
        'x-case: b',
        'Connection: close, X-Hop, authorization',
      ],
      ...['X-Hop: 1', 'Authorization: Bearer x', 'TE: trailers', 'Proxy-Authorization: x', 'Keep-Alive: timeout=5'],
      ...['X-Forwarded-For: 6.6.6.6', 'X-Forwarded-Host: evil', 'X-Forwarded-Proto: https'],
    ),
  )
  const { url, raw } = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1))
  expect(url).toBe('/a//b/../%2e%41?x=%zz&y')
  expect(raw).toEqual([
    ...[
      'Host',
      'Example.COM:81',
      'X-Case',
      'a',
      'x-case',
      'b',
      'Authorization',
      'Bearer x',
      'X-Forwarded-For',
      '127.0.0.1',
    ],
    ...['X-Forwarded-Proto', 'http', 'X-Forwarded-Host', 'Example.COM:81', 'Connection', 'keep-alive'],
  ])
})

test('what trusted proxies say is passed on, and no more', async () => {
  await using router = await routed(echo, { trustedProxies: 1 })
  const forwarded = {
    'x-forwarded-for': '6.6.6.6, 9.9.9.9',
    'x-forwarded-proto': 'http, https',
    'x-forwarded-host': 'evil, good',
  }
  const { raw } = (await (await fetch(router.url, { headers: forwarded })).json()) as { raw: string[] }
  const values = Object.fromEntries(
    raw.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1]]] : [])),
  )
  expect(values).toMatchObject({
    'x-forwarded-for': '9.9.9.9, 127.0.0.1',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'good',
  })
})

test('HTTP/1.0, methods without bodies, and several requests on one connection', async () => {
  await using router = await routed(echo)
  const old = await router.exchange(head('GET /old HTTP/1.0'))
  expect(old).toMatch(/^HTTP\/1\.1 200 OK/)
  expect(old).not.toMatch(/transfer-encoding/i)
  expect(old).toContain(`"Host","127.0.0.1:${(router.server.address() as AddressInfo).port}"`)
  const both = await router.exchange(
    head('POST /1 HTTP/1.1', 'Host: a') +
      `${head('PUT /2 HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked')}3\r\nabc\r\n0\r\n\r\n` +
      head('DELETE /3 HTTP/1.1', 'Host: a', 'Connection: close'),
  )
  const bodies = both.match(/\{"method".*\}/g)?.map((line) => JSON.parse(line)) ?? []
  expect(bodies.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['POST', '/1', ''],
    ['PUT', '/2', 'abc'],
    ['DELETE', '/3', ''],
  ])
  expect(bodies[0].raw.join()).toContain('Content-Length,0')
})
