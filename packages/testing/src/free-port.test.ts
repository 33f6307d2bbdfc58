import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { isFree } from './free-port.ts'
import { freePort } from './index.ts'

test('a free port can be taken, and is then no longer free', async () => {
  const port = await freePort()
  {
    await using server = createServer().listen(port, '127.0.0.1')
    await once(server, 'listening')
    expect(await isFree(port)).toBe(false)
  }
  expect(await isFree(port)).toBe(true)
  {
    await using socket = createSocket('udp4')
    await once(socket.bind(port, '127.0.0.1'), 'listening')
    expect(await isFree(port)).toBe(false)
  }
  expect(await isFree(port)).toBe(true)
})
