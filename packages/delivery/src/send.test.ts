import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { natsClient } from '@icosa/brokers/testing'
import { startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Send, startSending } from './send.ts'
import { signatureHeaders } from './signature.ts'

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A real server that answers as configured, or not at all. */
async function startReceiver(answer: Answer | 'silence') {
  const received: { readonly headers: IncomingHttpHeaders; readonly method: string; readonly body: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { headers, method = '' } = request
    received.push({ headers, method, body: Buffer.concat(chunks).toString() })
    if (answer !== 'silence') response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}` // never null for a listening server
  return {
    host,
    url: `http://${host}/hook`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

let app: TestApp
let send: Send
const stops = new AsyncDisposableStack()

beforeAll(async () => {
  app = await startTestApp({ services: [] })
  ;({ send } = startSending(app.platform, (stop) => stops.defer(async () => void (await stop()))))
})
afterAll(async () => {
  await stops.disposeAsync()
  await app[Symbol.asyncDispose]()
})

const message = { id: 'm1', headers: { 'content-type': 'text/plain', 'Icosa-Delivery-Id': 'm1' }, payload: 'hello' }
const options = { signal: new AbortController().signal, timeoutMs: 30_000 }

test.each([
  [200, 'delivered'],
  [204, 'delivered'],
  [304, 'refused'],
  [400, 'refused'],
  [404, 'refused'],
  [410, 'refused'],
  [408, 'failed'],
  [425, 'failed'],
  [429, 'failed'],
  [500, 'failed'],
  [503, 'failed'],
])('HTTP %i is %s', async (status, result) => {
  await using receiver = await startReceiver({ status })
  const outcome = await send({ url: receiver.url }, message, options)
  expect(outcome.result).toBe(result)
  expect(outcome.message).toContain(`${receiver.host} answered HTTP ${status}`)
  expect(receiver.received).toMatchObject([
    { method: 'POST', body: 'hello', headers: { 'content-type': 'text/plain', 'icosa-delivery-id': 'm1' } },
  ])
  expect(receiver.received[0]?.headers).not.toHaveProperty('webhook-signature')
})

test('an outcome has the response and the Retry-After of the receiver', async () => {
  await app.clock.move({ frozen: true })
  const now = app.platform.clock.now()
  const outcomeFor = async (retryAfter: string) => {
    await using receiver = await startReceiver({
      status: 503,
      headers: { 'retry-after': retryAfter },
      body: `full\0${'x'.repeat(5_000)}`,
    })
    return await send({ url: receiver.url }, message, options)
  }
  expect(await outcomeFor('120')).toMatchObject({
    retryAfterMs: 120_000,
    answer: expect.stringMatching(/^full\ufffdx+$/),
  })
  expect((await outcomeFor('120')).answer).toHaveLength(4_096)
  const date = new Date(Math.floor(now.getTime() / 1_000) * 1_000 + 90_000)
  expect((await outcomeFor(date.toUTCString())).retryAfterMs).toBe(date.getTime() - now.getTime())
  expect((await outcomeFor('999999999')).retryAfterMs, 'an hour at most').toBe(3_600_000)
  expect(await outcomeFor('soon')).not.toHaveProperty('retryAfterMs')
})

test('unreachable and slow receivers are retried, forbidden addresses are not', async () => {
  await using silent = await startReceiver('silence')
  expect(await send({ url: silent.url }, message, { ...options, timeoutMs: 100 })).toMatchObject({
    result: 'failed',
    message: expect.stringContaining('did not answer completely within 100 ms'),
  })
  expect(await send({ url: 'http://127.0.0.1:1/' }, message, options)).toMatchObject({ result: 'failed' })
  const internal = silent.url.replace('127.0.0.1', '0.0.0.0')
  expect(await send({ url: internal }, message, options)).toMatchObject({
    result: 'refused',
    message: expect.stringContaining('not on the public internet'),
  })
  expect(await send({ url: 'nonsense' }, message, options)).toMatchObject({ result: 'refused' })
  expect(silent.received).toHaveLength(1)
})

test('an attempt of a worker that lost the job does not count', async () => {
  await using silent = await startReceiver('silence')
  const lost = new AbortController()
  const sending = send({ url: silent.url }, message, { ...options, signal: lost.signal })
  await expect.poll(() => silent.received.length).toBe(1)
  lost.abort(new Error('lost'))
  await expect(sending).rejects.toThrow('lost')
  const broker = { broker: 'nats://127.0.0.1:4222', kind: 'topic' as const, subject: 'a' }
  await expect(send(broker, message, { ...options, signal: lost.signal })).rejects.toThrow('lost')
})

test('a receiver with the secret can verify a message', async () => {
  // The example of the Standard Webhooks specification's libraries.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  expect(
    signatureHeaders(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', '{"test": 2432232314}', new Date(1_614_265_330_000)),
  ).toMatchObject({ 'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' })

  await using receiver = await startReceiver({ status: 200 })
  await send({ url: receiver.url, secret }, message, options)
  const { headers, body } = receiver.received[0] ?? expect.fail()
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers
  expect(id).toBe('m1')
  expect(Number(timestamp)).toBe(Math.floor(app.platform.clock.now().getTime() / 1_000))
  const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${expected}`)
})

test('a message for a broker has the same outcomes', async () => {
  const broker = 'nats://127.0.0.1:4222'
  const subject = `test.${randomUUID()}`
  const target = { broker, kind: 'topic' as const, subject }
  expect(await send(target, message, options)).toMatchObject({
    result: 'failed',
    message: expect.stringContaining(`No stream or subscriber receives ${subject}`),
  })
  using client = await natsClient(broker)
  const messages = await client.subscribe(subject)
  expect(await send(target, { id: 'm2', headers: {} }, options)).toEqual({
    result: 'delivered',
    message: `The broker accepted the message on ${subject}.`,
  })
  await client.flush()
  expect(messages()).toMatchObject([{ payload: '', headers: expect.stringContaining('Nats-Msg-Id: m2') }])
  expect(await send({ ...target, subject: 'two words' }, message, options)).toMatchObject({ result: 'refused' })
})
