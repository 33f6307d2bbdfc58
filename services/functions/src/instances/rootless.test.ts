import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { asOrdinaryUser, hasUserNamespaces } from '@icosa/testing'
import { expect, test } from 'vitest'
import { openSite } from './testing/site.ts'

const hostile = `const fs = require('fs'), net = require('net')
  exports.main = (req, res) => {
    if (req.path === '/eat') for (const buffers = []; ; ) buffers.push(Buffer.alloc(16 << 20, 1))
    if (req.path.startsWith('/read'))
      return fs.readFile(req.path.slice(5), 'utf8', (error, text) => res.send(error ? error.code : text))
    if (req.path.startsWith('/connect')) {
      const to = /^\\d+$/.test(req.path.slice(9)) ? { port: req.path.slice(9), host: '127.0.0.1' } : { path: req.path.slice(8) }
      return net.connect(to).on('error', ({ code }) => res.send(code)).on('connect', () => res.send('connected'))
    }
    res.send('hello')
  }`

test.runIf(hasUserNamespaces())('functions run as an ordinary user cannot leave their sandbox', async () => {
  const site = await openSite()
  chmodSync(site.folder, 0o755) // the user reads the artifact in it
  let requests = 0
  const server = createServer((_, reply) => reply.end(String(requests++))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const paths = ['/', '/readFOLDER/secret', `/connect/${(server.address() as AddressInfo).port}`]
  paths.push('/connectFOLDER/listening', '/eat', '/again')
  try {
    const revision = JSON.stringify(site.revision(hostile))
    const module = new URL('testing/ordinary-user.ts', import.meta.url)
    const result = await asOrdinaryUser(module, {}, site.databaseUrl, site.folder, revision, ...paths)
    expect(result).toEqual({
      answers: {
        '/': { status: 200, body: 'hello' },
        [paths[1] ?? '']: { status: 200, body: 'ENOENT' },
        [paths[2] ?? '']: { status: 200, body: expect.stringMatching(/^E(CONNREFUSED|NETUNREACH)$/) },
        [paths[3] ?? '']: { status: 200, body: 'ENOENT' },
        '/eat': expect.objectContaining({ status: 502, body: expect.stringContaining('256 MiB of memory') }),
        '/again': { status: 200, body: 'hello' },
      },
      connections: 0,
    })
    expect(requests).toBe(0)
  } finally {
    server.close()
    await site.close()
  }
})
