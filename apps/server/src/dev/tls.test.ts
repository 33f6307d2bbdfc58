import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { example, startTestApp } from '@icosa/testing'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificate } from './certificate.ts'
import { authorityFile, localTls } from './tls.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icosa-tls-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a node serves HTTP and HTTPS on one port, and tells them apart', async () => {
  const tls = await localTls(folder)
  const ca = await readFile(authorityFile(folder), 'utf8')
  await using app = await startTestApp({ services: [example], tls })
  const port = new URL(app.url).port
  const dispatcher = new Agent({ connect: { ca } })
  const headers = { 'x-api-key': await app.key('ada') }
  const note = JSON.stringify({ title: 'over TLS', text: 'x'.repeat(5_000) })
  for (const name of ['localhost', '127.0.0.1']) {
    const created = await request(`https://${name}:${port}/example/notes`, {
      method: 'POST',
      headers,
      body: note,
      dispatcher,
    })
    expect(created.statusCode).toBe(201)
    await created.body.dump()
  }
  const list = await fetch(`http://127.0.0.1:${port}/example/notes`, { headers })
  expect(((await list.json()) as { notes: unknown[] }).notes).toHaveLength(2)
  // The host of a function has a certificate, too.
  const host = connect({ port: Number(port), host: '127.0.0.1', servername: 'hello-abc.fn.localhost', ca })
  await once(host, 'secureConnect')
  host.destroy()
  await dispatcher.close()

  // A connection with neither protocol is closed, and the server survives.
  const garbage = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false, minVersion: 'TLSv1.3' })
  await once(garbage, 'secureConnect')
  garbage.resume()
  garbage.write('not http at all\r\n\r\n')
  await once(garbage, 'close')
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
})

test('the CA is reused, its key is private, and its certificates are valid for this machine only', async () => {
  await localTls(folder)
  const before = await readFile(authorityFile(folder), 'utf8')
  const { key } = await localTls(folder)
  expect(await readFile(authorityFile(folder), 'utf8')).toBe(before)
  expect((await stat(join(folder, 'tls', 'ca-key.pem'))).mode & 0o777).toBe(0o600)
  expect(new X509Certificate(before).ca).toBe(true)

  // Clients refuse a certificate of this CA for another name.
  const server = createServer(await forged(folder), (_, response) => response.end('evil'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const dispatcher = new Agent({ connect: { ca: before, servername: 'bank.example' } })
  const refused = request(`https://127.0.0.1:${port}/`, { dispatcher }).then(
    () => 'accepted',
    (error: Error) => error.message,
  )
  expect(await refused).toMatch(/permitted subtree violation/)
  expect(key).toContain('PRIVATE KEY')
  await dispatcher.close()
  server.close()
})

/** A certificate forged with the stolen CA key. */
async function forged(data: string) {
  const signedBy = createPrivateKey(await readFile(join(data, 'tls', 'ca-key.pem'), 'utf8'))
  const { subject, validFrom, validTo } = new X509Certificate(await readFile(authorityFile(data), 'utf8'))
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const cert = certificate({
    kind: 'server',
    subject: 'bank.example',
    issuer: subject.replace('CN=', ''),
    publicKey,
    signedBy,
    notBefore: new Date(validFrom),
    notAfter: new Date(validTo),
    names: { dns: ['bank.example'], ip: [] },
  })
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }) }
}
