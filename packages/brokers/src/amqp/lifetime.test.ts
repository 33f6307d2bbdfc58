import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { type AddressInfo, connect } from 'node:net'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, test } from 'vitest'
import type { Message } from '../message.ts'
import { amqpClient, rabbit } from '../testing/amqp.ts'
import { fakeBroker } from '../testing/fake-broker.ts'
import { publish } from './publish.ts'

const messageFor = (subject: string): Message => ({ kind: 'queue', subject, id: 'one', headers: {}, payload: 'hello' })
const never = new AbortController().signal

test('a broker that says nothing is given up when time is up, or when the worker has lost the job', async () => {
  await using broker = await fakeBroker(() => {})
  const address = `amqp://${broker.host}`
  await expect(publish(address, messageFor('q'), { signal: never, timeoutMs: 50 })).rejects.toThrow('did not answer')
  const signal = AbortSignal.abort()
  await expect(publish(address, messageFor('q'), { signal, timeoutMs: 60_000 })).rejects.toThrow('did not answer')
})

test('over amqps: only a broker with a certificate that Node trusts gets the message', async () => {
  await using consumer = await amqpClient()
  const queue = `q-${randomUUID()}`
  await consumer.queue(queue)
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', '-']
  const names = ['-subj', '/CN=broker', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  const pem = execFileSync('openssl', ['req', '-x509', ...newKey, ...names], { encoding: 'utf8', stdio: 'pipe' })
  const { hostname, port } = new URL(rabbit)
  const server = createServer({ key: pem, cert: pem }, (socket) => {
    const inner = connect(Number(port), hostname)
    socket.on('error', () => inner.destroy()).on('close', () => inner.destroy())
    inner.on('error', () => socket.destroy())
    socket.pipe(inner).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const secure = `amqps://127.0.0.1:${(server.address() as AddressInfo).port}` // a server on a port has one
  const options = { signal: never, timeoutMs: 10_000 }
  try {
    await expect(publish(secure, messageFor(queue), options)).rejects.toThrow(/over TLS \(self-signed certificate/)
    setDefaultCACertificates([...getCACertificates(), pem.slice(pem.indexOf('-----BEGIN CERTIFICATE'))])
    await publish(secure, messageFor(queue), options)
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
  expect(await consumer.take(queue)).toMatchObject([{ body: 'hello', messageId: 'one' }])
})
