import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, test } from 'vitest'
import { openBrokers } from '../brokers.ts'
import type { Message } from '../message.ts'
import { selfSigned } from '../testing/certificate.ts'
import { natsClient } from '../testing/nats.ts'
import { startNatsServer } from '../testing/nats-server.ts'

const patient = { signal: new AbortController().signal, timeoutMs: 30_000 }

const messageFor = (subject: string, id = 'one'): Message => ({
  kind: 'queue',
  subject,
  id,
  headers: { colour: 'türkis' },
  payload: 'hello',
})

async function folderWith(files: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-brokers-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return {
    at: (name: string) => join(folder, name),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

test('a server that is killed and restarted amid messages stores each of them once', async () => {
  await using server = await startNatsServer()
  const broker = `nats://${server.host}`
  const admin = await natsClient(broker)
  await admin.ask('$JS.API.STREAM.CREATE.ORDERS', { name: 'ORDERS', subjects: ['orders.>'] })
  admin[Symbol.dispose]()
  await using brokers = openBrokers()
  const ids = Array.from({ length: 600 }, () => randomUUID())
  const queue = ids.values()
  let sent = 0
  let failed = 0
  const sender = async () => {
    for (const id of queue) {
      const attempt = () =>
        brokers.publish(broker, messageFor('orders.new', id), patient).then(
          () => true,
          () => false,
        )
      while (!(await attempt())) {
        failed++
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      sent++
    }
  }
  const restart = async () => {
    for (const at of [150, 400]) {
      await expect.poll(() => sent, { timeout: 30_000, interval: 1 }).toBeGreaterThan(at)
      await server.kill()
      await server.restart()
    }
  }
  await Promise.all([restart(), ...Array.from({ length: 20 }, sender)])
  using reader = await natsClient(broker)
  const { state } = await reader.ask('$JS.API.STREAM.INFO.ORDERS')
  expect(state).toMatchObject({ messages: ids.length })
  expect(failed, 'some were sent while the server was down').toBeGreaterThan(0)
})

test('a full stream refuses messages', async () => {
  await using server = await startNatsServer()
  const broker = `nats://${server.host}`
  using client = await natsClient(broker)
  const limits = { max_msgs: 1, discard: 'new' }
  await client.ask('$JS.API.STREAM.CREATE.TINY', { name: 'TINY', subjects: ['tiny'], ...limits })
  await using brokers = openBrokers()
  await brokers.publish(broker, messageFor('tiny', 'first'), patient)
  await expect(brokers.publish(broker, messageFor('tiny', 'second'), patient)).rejects.toThrow(
    'refused: maximum messages exceeded',
  )
})

test('user, password and token come from the address, and missing permissions are reported', async () => {
  const users = `authorization { users: [
    { user: "icosa", password: "p@ss wörd", permissions: { publish: ["allowed"], subscribe: ["_INBOX.>"] } }
  ] }`
  await using files = await folderWith({ 'nats.conf': users })
  await using server = await startNatsServer('-c', files.at('nats.conf'))
  await using brokers = openBrokers()
  const address = `nats://icosa:${encodeURIComponent('p@ss wörd')}@${server.host}`
  await expect(brokers.publish(address, messageFor('allowed'), patient)).rejects.toThrow('No stream or subscriber')
  await expect(brokers.publish(address, messageFor('secret'), patient)).rejects.toThrow(/refused: .*secret.*Check user/)
  const wrong = await brokers.publish(`nats://icosa:wr0ng@${server.host}`, messageFor('allowed'), patient).catch(String)
  expect(wrong).toMatch(/refused: .*Authorization Violation.*Check user, password/)
  expect(wrong).not.toContain('wr0ng')

  await using guarded = await startNatsServer('--auth', 't0ken')
  await expect(brokers.publish(`nats://t0ken@${guarded.host}`, messageFor('a'), patient)).rejects.toThrow(
    'No stream or subscriber',
  )
  await expect(brokers.publish(`nats://${guarded.host}`, messageFor('a'), patient)).rejects.toThrow('Check user')
})

test('over tls: only a server with a certificate that Node trusts gets the message', async () => {
  const { pem, certificate } = selfSigned()
  await using files = await folderWith({ 'both.pem': pem })
  await using server = await startNatsServer(
    '--tls',
    '--tlscert',
    files.at('both.pem'),
    '--tlskey',
    files.at('both.pem'),
  )
  await using brokers = openBrokers()
  const publish = () => brokers.publish(`tls://${server.host}`, messageFor('unrouted'), patient)
  await expect(publish()).rejects.toThrow(/over TLS \(self-signed certificate/)
  setDefaultCACertificates([...getCACertificates(), certificate])
  await expect(publish(), 'the server received it').rejects.toThrow('No stream or subscriber receives unrouted')

  await using plain = await startNatsServer()
  await expect(brokers.publish(`tls://${plain.host}`, messageFor('unrouted'), patient)).rejects.toThrow(
    /over TLS \(.*tls/,
  )
})

test('a message that is too long or has an invalid subject fails without breaking the connection', async () => {
  await using server = await startNatsServer()
  const broker = `nats://${server.host}`
  using client = await natsClient(broker)
  const messages = await client.subscribe('orders')
  await using brokers = openBrokers()
  const long = { ...messageFor('orders'), payload: 'x'.repeat(2 ** 21) }
  await expect(brokers.publish(broker, long, patient)).rejects.toMatchObject({ kind: 'invalid' })
  await expect(brokers.publish(broker, messageFor('two words'), patient)).rejects.toMatchObject({ kind: 'invalid' })
  await brokers.publish(broker, messageFor('orders'), patient)
  await client.flush()
  expect(messages()).toMatchObject([{ payload: 'hello', headers: expect.stringContaining('Nats-Msg-Id: one\r\n') }])
})
