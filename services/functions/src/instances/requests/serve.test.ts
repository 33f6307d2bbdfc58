import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSite, type TestNode, type TestSite } from '../testing/site.ts'

let site: TestSite
let node: TestNode
beforeAll(async () => {
  site = await openSite()
  node = await site.node()
})
afterAll(() => site.close())

const json = { 'content-type': 'application/json' }
const event = { id: '7', type: 'a.b', source: '//c', specversion: '1.0', subject: 'd', data: { n: 1 } }

test('a function starts on the first request, gets environment, query and body, and serves the next at once', async () => {
  const revision = site.revision(
    `exports.main = (req, res) => {
       console.log('request for', req.url)
       res.set('x-mine', 'yes').status(201).json({ url: req.url, body: req.body, header: req.get('x-theirs'), ip: req.ip,
         env: ['K_SERVICE', 'K_REVISION', 'PORT', 'GREETING', 'FUNCTION_TARGET'].map((name) => process.env[name]) })
     }`,
    { environment: { GREETING: 'hi', PORT: '1' } },
  )
  const response = await node.ask(revision, '/a/b?c=d', { headers: { ...json, 'x-theirs': 'sent' }, body: '{"n":1}' })
  expect(response).toMatchObject({ status: 201, headers: { 'x-mine': 'yes' } })
  const name = revision.function.split('/').at(-1)
  expect(JSON.parse(response.body)).toEqual({
    ...{ url: '/a/b?c=d', body: { n: 1 }, header: 'sent', ip: '127.0.0.1' },
    env: [name, revision.id, '8080', 'hi', 'main'],
  })
  await node.ask(revision, '/second')
  expect(node.instances.running(revision.id)).toBe(1)
  await expect.poll(() => node.log(revision)).toContain('request for /second')
  const line = node.lines.find(({ text }) => text === 'request for /a/b?c=d')
  expect(line).toMatchObject({ stream: 'stdout', invocation: expect.stringMatching(/^[0-9a-f]{12}$/) })
  expect(node.errors).toEqual([])
})

test('hop-by-hop and hidden headers are not forwarded', async () => {
  const revision = site.revision(`exports.main = (req, res) => res.set('keep-alive', 'mine').json(req.headers)`)
  const headers = { connection: 'close, x-hop', 'x-hop': '1', te: 'trailers', 'x-kept': '2', cookie: 'a=b' }
  const response = await node.ask(revision, '/', { headers })
  expect(response.headers['keep-alive']).not.toBe('mine')
  const received = JSON.parse(response.body)
  expect(received).toMatchObject({ 'x-kept': '2', cookie: 'a=b', 'function-execution-id': expect.any(String) })
  expect(Object.keys(received)).not.toEqual(expect.arrayContaining(['x-hop']))
  expect(received.te).toBeUndefined()
})

test('functions may register with the framework, be ES modules and receive events', async () => {
  const registered = site.revision(
    `const functions = require('@google-cloud/functions-framework')
     functions.cloudEvent('main', (event) => { console.log('got', event.type, event.subject, event.data.n) })`,
    { signature: 'cloudevent' },
  )
  const structured = { path: '/', headers: { 'content-type': 'application/cloudevents+json' } }
  const body = Buffer.from(JSON.stringify(event))
  expect(await node.instances.call(registered, { ...structured, body }, 'call-1')).toMatchObject({ status: 204 })
  await expect.poll(() => node.lines.find(({ invocation }) => invocation === 'call-1')?.text).toBe('got a.b d 1')
  const modern = site.revision(
    {
      'package.json': '{"type":"module","main":"src/main.js"}',
      'src/main.js': `import { http } from '@google-cloud/functions-framework'
        http('main', async (req, res) => res.send('modern ' + (await import('./other.js')).default))`,
      'src/other.js': 'export default 5',
    },
    {},
  )
  expect((await node.ask(modern)).body).toBe('modern 5')
})

test('bodies stream both ways, chunk by chunk', async () => {
  // Without a media type, the framework leaves the body to the function.
  const revision = site.revision(`exports.main = (req, res) => req.pipe(res)`)
  const outgoing = node.open(revision, '/', { method: 'POST', headers: { 'transfer-encoding': 'chunked' } })
  outgoing.write('first')
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
  const chunks = reply[Symbol.asyncIterator]()
  expect(String((await chunks.next()).value)).toBe('first')
  outgoing.write('second')
  expect(String((await chunks.next()).value)).toBe('second')
  outgoing.end()
  expect((await chunks.next()).done).toBe(true)
})

test('headers are sent before the body, and a disconnect is noticed', async () => {
  const revision = site.revision(
    `exports.main = (req, res) => { res.on('close', () => console.log('disconnected'))
       res.set('content-type', 'text/event-stream').flushHeaders() }`,
  )
  const outgoing = node.open(revision, '/')
  outgoing.end()
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
  expect(reply.headers['content-type']).toContain('text/event-stream')
  reply.destroy()
  await expect.poll(() => node.log(revision)).toContain('disconnected')
})

test('large bodies pass without buffering', async () => {
  const revision = site.revision(
    `exports.main = (req, res) => { let n = 0; req.on('data', (c) => (n += c.length)).on('end', () => {
       res.set('x-got', n); const chunk = Buffer.alloc(65536); let remaining = 512
       const more = () => { while (remaining > 0) { remaining--; if (!res.write(chunk)) return res.once('drain', more) } res.end() }; more() }) }`,
    { memoryBytes: 256 * 2 ** 20 },
  )
  const outgoing = node.open(revision, '/', { method: 'POST', headers: { 'transfer-encoding': 'chunked' } })
  for (let sent = 0; sent < 512; sent++) if (!outgoing.write(Buffer.alloc(65_536))) await once(outgoing, 'drain')
  outgoing.end()
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
  expect(reply.headers['x-got']).toBe(String(2 ** 25))
  let bytes = 0
  for await (const chunk of reply) bytes += chunk.length
  expect(bytes).toBe(2 ** 25)
})

test('python: Flask requests, streamed responses, and log lines with the id of their request', async () => {
  const revision = site.revision(
    `import functions_framework, flask
def main(request):
    print("called by", request.args["name"])
    if request.path == "/stream":
        return flask.Response((chunk for chunk in ["a", "b"]), mimetype="text/plain")
    if request.path == "/raise":
        raise ValueError("on purpose")
    return {"n": request.get_json()["n"], "path": request.path}, 201, {"x-mine": "yes"}
`,
    { runtime: 'python311', concurrency: 4 },
  )
  const response = await node.ask(revision, '/p?name=bob', { headers: json, body: '{"n":2}' })
  expect(response).toMatchObject({ status: 201, headers: { 'x-mine': 'yes' } })
  expect(JSON.parse(response.body)).toEqual({ n: 2, path: '/p' })
  expect((await node.ask(revision, '/stream?name=x')).body).toBe('ab')
  expect(await node.ask(revision, '/raise?name=x')).toMatchObject({ status: 500, body: 'Internal Server Error\n' })
  await expect.poll(() => node.log(revision)).toContain('ValueError: on purpose')
  const line = node.lines.find(({ text }) => text === 'called by bob')
  expect(line).toMatchObject({ invocation: expect.stringMatching(/^[0-9a-f]{12}$/) })
})

test('python: events in structured and binary mode, and invalid events', async () => {
  const revision = site.revision(
    `import functions_framework
@functions_framework.cloud_event
def main(event):
    print("got", event["type"], event["subject"], event.data)
`,
    { runtime: 'python311', signature: 'cloudevent' },
  )
  const call = (headers: Record<string, string>, body: unknown, id: string) =>
    node.instances.call(revision, { path: '/', headers, body: Buffer.from(JSON.stringify(body)) }, id)
  const structured = { 'content-type': 'application/cloudevents+json' }
  const binary = {
    ...json,
    'ce-id': '1',
    'ce-type': 'e.f',
    'ce-source': '//g',
    'ce-specversion': '1.0',
    'ce-subject': 'h',
  }
  expect(await call(structured, event, 'one')).toEqual({ status: 200, body: 'OK' })
  expect(await call(binary, { m: 2 }, 'two')).toEqual({ status: 200, body: 'OK' })
  expect(await call(json, {}, 'three')).toMatchObject({ status: 400, body: expect.stringContaining('has no id') })
  const lineOf = (id: string) => node.lines.find(({ invocation }) => invocation === id)?.text
  await expect.poll(() => [lineOf('one'), lineOf('two')]).toEqual(["got a.b d {'n': 1}", "got e.f h {'m': 2}"])
})

test.each([String.raw`\xe9t\xe9`, String.raw`\x01`, ''])(
  'the reason phrase %j of a response is dropped',
  async (phrase) => {
    const revision = site.revision(
      `exports.main = (req) => req.socket.end(Buffer.from('HTTP/1.1 299 ${phrase}\\r\\nContent-Length: 2\\r\\n\\r\\nok', 'latin1'))`,
      { timeoutMs: 10_000 },
    )
    const response = await node.ask(revision)
    expect(response).toMatchObject({ status: 299, body: 'ok' })
  },
)
