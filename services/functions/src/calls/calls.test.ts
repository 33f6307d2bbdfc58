import { client } from '@icosa/client'
import { expect, test } from 'vitest'
import { calls, source } from '../contract.ts'
import { at, startFunctions } from '../testing/app.ts'

/** Returns its request, in several forms. */
const mirror = {
  'index.js': `exports.hello = (request, response) => {
    if (request.path === '/bytes') return response.type('application/octet-stream').send(Buffer.from([255, 0, 1]))
    if (request.path === '/long') return response.type('text/plain').send('é'.repeat(600_000))
    if (request.path === '/fail') throw new Error('on purpose')
    response.set('x-seen', request.get('x-sent') ?? 'nothing').status(201)
      .json({ method: request.method, url: request.url, body: request.body, host: request.get('host') !== undefined })
  }\n`,
}

test('only its owner calls a function by this operation', async () => {
  await using app = await startFunctions()
  const acme = await app.tenant()
  await acme.deploy('mirror', mirror)
  const callerOf = ({ key }: { readonly key: string }) =>
    client(calls, { baseUrl: `${app.url}/functions`, headers: { authorization: `Bearer ${key}` } })
  const call = async (body: Parameters<ReturnType<typeof callerOf>['callFunction']>[0]['body']) =>
    (await callerOf(acme).callFunction({ params: at('mirror'), body })).body

  const posted = await call({
    ...{ method: 'POST', path: '/a?b=1', body: '{"c":2}' },
    headers: { 'content-type': 'application/json', 'x-sent': 'yes' },
  })
  expect(posted).toMatchObject({ status: 201, isBase64: false, isTruncated: false, headers: { 'x-seen': 'yes' } })
  expect(JSON.parse(posted.body)).toEqual({ method: 'POST', url: '/a?b=1', body: { c: 2 }, host: true })
  expect(JSON.parse((await call({ method: 'GET', path: '/', body: 'left out' })).body)).toMatchObject({ method: 'GET' })

  expect(await call({ method: 'GET', path: '/bytes' })).toMatchObject({ isBase64: true, body: '/wAB' })
  const long = await call({ method: 'GET', path: '/long' })
  expect(long).toMatchObject({ isTruncated: true, isBase64: false })
  expect(long.body).toBe('é'.repeat(2 ** 19))
  expect(await call({ method: 'GET', path: '/fail' })).toMatchObject({ status: 500 })

  for (const headers of [{ host: 'other' }, { 'Content-Length': '1' }, { 'x-a': 'b\r\nc: d' }, { 'a b': 'c' }])
    await expect(call({ method: 'GET', path: '/', headers: { ...headers } as never })).rejects.toMatchObject({
      status: 400,
    })
  await expect(call({ method: 'GET', path: '/ HTTP/1.1\r\nx: y' })).rejects.toMatchObject({ status: 400 })
  const other = callerOf(await app.tenant('other'))
  const get = { method: 'GET', path: '/' } as const
  await expect(other.callFunction({ params: at('mirror'), body: get })).rejects.toMatchObject({ status: 404 })
  const reader = callerOf(await app.tenant('acme', ['functions:getFunction']))
  await expect(reader.callFunction({ params: at('mirror'), body: get })).rejects.toMatchObject({ status: 403 })
}, 120_000)

test('a function is deployed from files in the request, and answers', async () => {
  await using app = await startFunctions()
  const { key } = await app.tenant()
  const acme = client(
    { ...calls, ...source },
    { baseUrl: `${app.url}/functions`, headers: { authorization: `Bearer ${key}` } },
  )
  const { function: _, ...params } = at('greeter')
  const content = 'exports.greet = (request, response) => response.send(require("./words/hello.js"))\n'
  const sources = [
    { path: 'index.js', content },
    { path: 'words/hello.js', content: 'module.exports = "hello"\n' },
  ]
  const body = { functionId: 'greeter', runtime: 'nodejs24', entryPoint: 'greet', files: sources }
  await acme.deployFiles({ params, body })
  await app.jobs.drain()
  const call = { params: at('greeter'), body: { method: 'GET', path: '/' } } as const
  expect((await acme.callFunction(call)).body).toMatchObject({ status: 200, body: 'hello' })
  for (const path of ['../index.js', '/index.js', '.npmrc', 'a//b', ''])
    await expect(acme.deployFiles({ params, body: { ...body, files: [{ path, content }] } })).rejects.toMatchObject({
      status: 400,
    })
  const unknown = { ...body, functionId: 'other', runtime: 'cobol68' }
  await expect(acme.deployFiles({ params, body: unknown })).rejects.toMatchObject({ status: 400 })
}, 120_000)
