import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Dispatcher } from 'undici'
import { expect, test } from 'vitest'
import { Abort } from './abort.ts'
import { forward } from './forward.ts'

/** Returns the caller's response if the function answers with these raw headers. */
async function forwarded(...headers: string[]) {
  const control = { abort() {}, pause() {}, resume() {} } as unknown as Dispatcher.DispatchController
  const pool = {
    dispatch(_: unknown, handler: Dispatcher.DispatchHandler) {
      handler.onRequestStart?.(control, {})
      const raw = headers.map((text) => Buffer.from(text, 'latin1'))
      handler.onResponseStart?.(Object.assign(Object.create(control), { rawHeaders: raw }), 200, {})
      return true
    },
  } as unknown as Dispatcher
  await using server = createServer(async (request, reply) => {
    reply.setHeader('x-ours', 'kept')
    const result = await forward(pool, request, reply, { path: '/', headers: [], isSandboxed: false }, new Abort())
    reply.statusCode = result.kind === 'failed' ? result.status : 500
    reply.end(result.kind === 'failed' ? result.message : result.kind)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return { status: response.status, body: await response.text(), headers: Object.fromEntries(response.headers) }
}

test.each([
  ['x-value', 'one\ntwo'],
  ['x name', 'value'],
])('a response that Node refuses to write (%j: %j) becomes a 502 without its headers', async (name, value) => {
  const { status, body, headers } = await forwarded('x-theirs', 'removed', name, value)
  expect({ status, body }).toEqual({ status: 502, body: expect.stringContaining('cannot be forwarded') })
  expect(headers).toMatchObject({ 'x-ours': 'kept' })
  expect(headers).not.toHaveProperty('x-theirs')
})
