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

test('a function answers from zero, with its environment, its query and its body, and again at once', async () => {
  const revision = site.revision(
    `exports.main = (req, res) => {
       console.log('asked for', req.url)
       res.set('x-mine', 'yes').status(201).json({ url: req.url, body: req.body, header: req.get('x-theirs'), ip: req.ip,
         env: ['K_SERVICE', 'K_REVISION', 'PORT', 'GREETING', 'FUNCTION_TARGET'].map((name) => process.env[name]) })
     }`,
    { environment: { GREETING: 'hi', PORT: '1' } },
  )
  const answer = await node.ask(revision, '/a/b?c=d', { headers: { ...json, 'x-theirs': 'there' }, body: '{"n":1}' })
  expect(answer).toMatchObject({ status: 201, headers: { 'x-mine': 'yes' } })
  const name = revision.function.split('/').at(-1)
  expect(JSON.parse(answer.body)).toEqual({
    ...{ url: '/a/b?c=d', body: { n: 1 }, header: 'there', ip: '127.0.0.1' },
    env: [name, revision.id, '8080', 'hi', 'main'],
  })
  await node.ask(revision, '/again')
  expect(node.instances.running(revision.id)).toBe(1)
  await expect.poll(() => node.log(revision)).toContain('asked for /again')
  const line = node.lines.find(({ text }) => text === 'asked for /a/b?c=d')
  expect(line).toMatchObject({ stream: 'stdout', invocation: expect.stringMatching(/^[0-9a-f]{12}$/) })
  expect(node.errors).toEqual([])
})

test('headers for one hop only, and those that are hidden, reach nobody', async () => {
  const revision = site.revision(`exports.main = (req, res) => res.set('keep-alive', 'mine').json(req.headers)`)
  const headers = { connection: 'close, x-hop', 'x-hop': '1', te: 'trailers', 'x-kept': '2', cookie: 'a=b' }
  const answer = await node.ask(revision, '/', { headers })
  expect(answer.headers['keep-alive']).not.toBe('mine')
  const seen = JSON.parse(answer.body)
  expect(seen).toMatchObject({ 'x-kept': '2', cookie: 'a=b', 'function-execution-id': expect.any(String) })
  expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(['x-hop']))
  expect(seen.te).toBeUndefined()
})

test('functions register with the framework or are modules, and get events', async () => {
  const registering = site.revision(
    `const functions = require('@google-cloud/functions-framework')
     functions.cloudEvent('main', (event) => { console.log('got', event.type, event.subject, event.data.n) })`,
    { signature: 'cloudevent' },
  )
  const structured = { path: '/', headers: { 'content-type': 'application/cloudevents+json' } }
  const body = Buffer.from(JSON.stringify(event))
  expect(await node.instances.call(registering, { ...structured, body }, 'call-1')).toMatchObject({ status: 204 })
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

test('bodies stream both ways, each piece as it comes', async () => {
  // Without a media type, the framework leaves the body to the function.
  const revision = site.revision(`exports.main = (req, res) => req.pipe(res)`)
  const asked = node.open(revision, '/', { method: 'POST', headers: { 'transfer-encoding': 'chunked' } })
  asked.write('first')
  const [reply] = (await once(asked, 'response')) as [IncomingMessage]
  const pieces = reply[Symbol.asyncIterator]()
  expect(String((await pieces.next()).value)).toBe('first')
  asked.write('second')
  expect(String((await pieces.next()).value)).toBe('second')
  asked.end()
  expect((await pieces.next()).done).toBe(true)
})

test('the head of an answer does not wait for its body, and who leaves is noticed', async () => {
  const revision = site.revision(
    `exports.main = (req, res) => { res.on('close', () => console.log('they left'))
       res.set('content-type', 'text/event-stream').flushHeaders() }`,
  )
  const asked = node.open(revision, '/')
  asked.end()
  const [reply] = (await once(asked, 'response')) as [IncomingMessage]
  expect(reply.headers['content-type']).toContain('text/event-stream')
  reply.destroy()
  await expect.poll(() => node.log(revision)).toContain('they left')
})

test('large bodies pass without being kept', async () => {
  const revision = site.revision(
    `exports.main = (req, res) => { let n = 0; req.on('data', (c) => (n += c.length)).on('end', () => {
       res.set('x-got', n); const piece = Buffer.alloc(65536); let left = 512
       const more = () => { while (left > 0) { left--; if (!res.write(piece)) return res.once('drain', more) } res.end() }; more() }) }`,
    { memoryBytes: 256 * 2 ** 20 },
  )
  const asked = node.open(revision, '/', { method: 'POST', headers: { 'transfer-encoding': 'chunked' } })
  for (let sent = 0; sent < 512; sent++) if (!asked.write(Buffer.alloc(65_536))) await once(asked, 'drain')
  asked.end()
  const [reply] = (await once(asked, 'response')) as [IncomingMessage]
  expect(reply.headers['x-got']).toBe(String(2 ** 25))
  let got = 0
  for await (const chunk of reply) got += chunk.length
  expect(got).toBe(2 ** 25)
})

test('python: requests as Flask has them, answers in pieces, and lines with the id of their request', async () => {
  const revision = site.revision(
    `import functions_framework, flask
def main(request):
    print("asked by", request.args["name"])
    if request.path == "/stream":
        return flask.Response((piece for piece in ["a", "b"]), mimetype="text/plain")
    if request.path == "/raise":
        raise ValueError("on purpose")
    return {"n": request.get_json()["n"], "path": request.path}, 201, {"x-mine": "yes"}
`,
    { runtime: 'python311', concurrency: 4 },
  )
  const answer = await node.ask(revision, '/p?name=bob', { headers: json, body: '{"n":2}' })
  expect(answer).toMatchObject({ status: 201, headers: { 'x-mine': 'yes' } })
  expect(JSON.parse(answer.body)).toEqual({ n: 2, path: '/p' })
  expect((await node.ask(revision, '/stream?name=x')).body).toBe('ab')
  expect(await node.ask(revision, '/raise?name=x')).toMatchObject({ status: 500, body: 'Internal Server Error\n' })
  await expect.poll(() => node.log(revision)).toContain('ValueError: on purpose')
  const line = node.lines.find(({ text }) => text === 'asked by bob')
  expect(line).toMatchObject({ invocation: expect.stringMatching(/^[0-9a-f]{12}$/) })
})

test('python: events in both ways of sending them, and what is no event', async () => {
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
  const said = (id: string) => node.lines.find(({ invocation }) => invocation === id)?.text
  await expect.poll(() => [said('one'), said('two')]).toEqual(["got a.b d {'n': 1}", "got e.f h {'m': 2}"])
})

test.each([String.raw`\xe9t\xe9`, String.raw`\x01`, ''])(
  'the reason phrase %j of an answer is dropped',
  async (phrase) => {
    const revision = site.revision(
      `exports.main = (req) => req.socket.end(Buffer.from('HTTP/1.1 299 ${phrase}\\r\\nContent-Length: 2\\r\\n\\r\\nok', 'latin1'))`,
      { timeoutMs: 10_000 },
    )
    const answer = await node.ask(revision)
    expect(answer).toMatchObject({ status: 299, body: 'ok' })
  },
)
