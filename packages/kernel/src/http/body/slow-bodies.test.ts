import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { elapse } from '@icosa/testing'
import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { dropSlowBodies } from './slow-bodies.ts'

test('a connection survives a body that arrived but was not read to its end', async () => {
  await using server = createServer(
    dropSlowBodies((request, response) => {
      request.once('data', () => {
        request.pause()
        response.end('refused')
      })
    }),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let answers = ''
  socket.on('data', (piece) => {
    answers += piece
  })
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n'
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n`)
  await expect.poll(() => answers).toContain('refused')
  elapse(limits.unreadBodyMs + 1_000)
  await sleep(1_500) // for a sweep
  socket.write(`${head}Content-Length: 3\r\n\r\nabc`)
  await expect.poll(() => answers.match(/refused/g)?.length).toBe(2)
  socket.destroy()
})
