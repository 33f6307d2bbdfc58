import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { echo, head, routed, statusOf } from '../testing/wire.ts'

const poll = { timeout: 20_000, interval: 20 }

test('a large upload and download pass at the pace of the slower side', async () => {
  const size = 64 * 1024 * 1024
  let received = 0
  const mayRead = Promise.withResolvers<void>()
  await using router = await routed(async (request, response) => {
    await mayRead.promise
    for await (const chunk of request) received += chunk.length
    response.writeHead(200, { 'content-length': size })
    let sent = 0
    const send = () => {
      while (sent < size && response.write(Buffer.alloc(64 * 1024))) sent += 64 * 1024
      if (sent < size) {
        sent += 64 * 1024
        response.once('drain', send)
      } else response.end()
    }
    send()
  })
  const socket = router.socketTo()
  socket.write(head('PUT / HTTP/1.1', 'Host: a', `Content-Length: ${size}`, 'Connection: close'))
  let written = 0
  const block = Buffer.alloc(1024 * 1024)
  while (written < size && socket.write(block)) written += block.length
  written += block.length
  await expect.poll(() => socket.writableLength, poll).toBeGreaterThan(0) // neither side buffers it
  expect(written).toBeLessThan(size / 2)
  mayRead.resolve()
  for (; written < size; written += block.length) if (!socket.write(block)) await once(socket, 'drain')
  const answer = await socket.toArray()
  expect(received).toBe(size)
  expect(answer.reduce((sum, { length }) => sum + length, 0)).toBeGreaterThan(size)
})

test('events arrive one by one, and either side ends the other', async () => {
  let response: ServerResponse | undefined
  let isClosed = false
  await using router = await routed((request, answer) => {
    response = answer
    answer.once('close', () => {
      isClosed = true
    })
    answer.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    if (request.url === '/cut') answer.write('part')
  })
  const abort = new AbortController()
  const events = await fetch(`${router.url}/events`, { signal: abort.signal })
  const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
    response?.write(event)
    expect((await reader?.read())?.value).toBe(event)
  }
  abort.abort()
  await expect.poll(() => isClosed, poll).toBe(true)

  const cut = await fetch(`${router.url}/cut`)
  response?.destroy()
  await expect(cut.text()).rejects.toThrow()
})

test('a caller that leaves before the response, or in its upload, ends the request in the cell', async () => {
  let closed = 0
  let started = 0
  await using router = await routed((request, response) => {
    started++
    request.resume().on('error', () => {})
    response.once('close', () => closed++)
  })
  for (const lines of [
    head('GET / HTTP/1.1', 'Host: a'),
    `${head('POST / HTTP/1.1', 'Host: a', 'Content-Length: 10')}abc`,
  ]) {
    const socket = router.socketTo()
    socket.write(lines)
    await expect.poll(() => started, poll).toBeGreaterThan(closed)
    socket.destroy()
    await expect.poll(() => closed, poll).toBe(started)
  }
})

test('a body is sent only after the cell asks for it', async () => {
  await using router = await routed(echo)
  router.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/no') return void response.writeHead(413, { connection: 'close' }).end()
    response.writeContinue()
    echo(request, response)
  })
  const ask = async (path: string) => {
    const socket = router.socketTo()
    socket.write(
      head(`PUT ${path} HTTP/1.1`, 'Host: a', 'Content-Length: 3', 'Expect: 100-continue', 'Connection: close'),
    )
    const [first] = await once(socket, 'data')
    return { socket, first: String(first) }
  }
  const yes = await ask('/yes')
  expect(yes.first).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  yes.socket.write('abc')
  expect(String(Buffer.concat(await yes.socket.toArray()))).toContain('"body":"abc"')
  const no = await ask('/no')
  expect(statusOf(no.first)).toBe(413)
  await once(no.socket.resume(), 'close')
})

test('a connection that changes its protocol is passed through; HTTP/2 is not', async () => {
  const upgrades: string[] = []
  await using router = await routed(echo)
  router.server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    upgrades.push(String(request.headers.upgrade))
    if (request.url === '/no')
      return void socket.end(`${head('HTTP/1.1 403 Forbidden', 'Content-Length: 2', 'Connection: close')}no`)
    socket.write(
      `${head('HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Accept: x')}hello`,
    )
    socket.on('data', (data) => socket.write(data))
    socket.once('end', () => socket.end())
  })
  const upgrade = (path: string, protocol: string) =>
    head(`GET ${path} HTTP/1.1`, 'Host: a', 'Connection: Upgrade', `Upgrade: ${protocol}`)
  const socket = router.socketTo().setEncoding('latin1')
  let answer = ''
  socket.on('data', (text) => {
    answer += text
  })
  socket.write(`${upgrade('/', 'websocket')}early`)
  await expect
    .poll(() => answer, poll)
    .toMatch(/^HTTP\/1\.1 101 [\s\S]*Sec-WebSocket-Accept: x\r\n[\s\S]*\r\n\r\nhello/)
  socket.write('-late')
  await expect.poll(() => answer, poll).toMatch(/-late$/)
  socket.end()
  await once(socket, 'close')

  const refused = await router.exchange(upgrade('/no', 'websocket') + head('GET /behind HTTP/1.1', 'Host: a'))
  expect([statusOf(refused), refused.endsWith('no')]).toEqual([403, true])
  expect(upgrades).toEqual(['websocket', 'websocket'])
  const plain = await router.exchange(
    upgrade('/', 'h2c') + head('GET /behind HTTP/1.1', 'Host: a', 'Connection: close'),
  )
  expect(plain.match(/"url":"[^"]*"/g)).toEqual(['"url":"/"'])
  expect(upgrades).toHaveLength(2)
})

test('a cell that is away, or breaks off, is told apart', async () => {
  await using router = await routed((request) => request.socket.destroy())
  const post = () => fetch(router.url, { method: 'POST', body: 'a' })
  expect((await post()).status, 'it may have been processed').toBe(502)
  router.server.close()
  router.server.closeAllConnections()
  const away = await post()
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '1'])
})

test('a read is sent again if the cell had closed the kept connection, a write is not', async () => {
  let isClosing = false
  const methods: unknown[] = []
  await using router = await routed((request, response) => {
    methods.push(request.method)
    if (!isClosing) return void request.resume().on('end', () => response.end())
    isClosing = false
    request.socket.resetAndDestroy()
  })
  for (const [method, status] of [
    ['GET', 200],
    ['POST', 502],
  ] as const) {
    await (await fetch(router.url)).text()
    isClosing = true
    expect((await fetch(router.url, { method })).status).toBe(status)
  }
  expect(methods).toEqual(['GET', 'GET', 'GET', 'GET', 'POST'])
})
