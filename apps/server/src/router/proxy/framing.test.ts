import { expect, test } from 'vitest'
import { head, routed, statusOf } from '../testing/wire.ts'

test.each([
  ['both lengths', `${head('POST / HTTP/1.1', 'Host: a', 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`],
  ['two lengths', `${head('POST / HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Content-Length: 2')}ab`],
  ['two hosts', head('GET / HTTP/1.1', 'Host: a', 'Host: b')],
  ['no host', head('GET / HTTP/1.1', 'Accept: */*')],
  ['two credentials', head('GET / HTTP/1.1', 'Host: a', 'Authorization: Bearer a', 'Authorization: Bearer b')],
  ['a folded header', head('GET / HTTP/1.1', 'Host: a', 'X-A: b', ' c')],
  ['a folded coding', `${head('POST / HTTP/1.1', 'Host: a', 'Transfer-Encoding:', ' chunked')}0\r\n\r\n`],
  ['bare line feeds', 'GET / HTTP/1.1\nHost: a\n\n'],
  ['a bare line feed', 'GET / HTTP/1.1\r\nHost: a\nContent-Length: 30\r\n\r\n'],
  [
    'a bare line feed in a chunk',
    `${head('POST / HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked')}1\na\r\n0\r\n\r\n`,
  ],
  ['space before a colon', head('GET / HTTP/1.1', 'Host: a', 'Content-Length : 5')],
  ['another coding', `${head('POST / HTTP/1.1', 'Host: a', 'Transfer-Encoding: gzip, chunked')}0\r\n\r\n`],
  ['an unknown coding', `${head('POST / HTTP/1.1', 'Host: a', 'Transfer-Encoding: xchunked')}0\r\n\r\n`],
  ['a coding in HTTP/1.0', `${head('POST / HTTP/1.0', 'Host: a', 'Transfer-Encoding: chunked')}0\r\n\r\n`],
  ['a signed length', `${head('POST / HTTP/1.1', 'Host: a', 'Content-Length: +5')}hello`],
  ['a null in a header', head('GET / HTTP/1.1', 'Host: a', 'X-A: b\0c')],
])('refuses %s, and a request behind it', async (_, lines) => {
  const urls: unknown[] = []
  await using router = await routed((request, response) => {
    urls.push(request.url)
    response.end()
  })
  const answer = await router.exchange(lines + head('GET /behind HTTP/1.1', 'Host: a'))
  expect(urls).toEqual([])
  expect(statusOf(answer)).toBe(400)
  expect(answer.match(/^HTTP\/1\.1/gm)).toHaveLength(1)
})
