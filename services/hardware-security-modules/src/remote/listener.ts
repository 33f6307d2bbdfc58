import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import type { Platform } from '@icosa/kernel'
import type { HsmSettings } from '../settings.ts'
import { answer } from './calls.ts'
import { Remote, type RemoteRuntime } from './session.ts'
import { frames, MalformedMessage, toBytes } from './wire.ts'

export interface RemoteListener {
  close(): Promise<void>
}

const maxConnections = 500
const maxPerAddress = 50
const idleMs = 15 * 60_000
/** Idle time before a login; p11-kit logs in within a second. */
const anonymousMs = 60_000
const handshakeMs = 10_000
const maxAnonymousBytes = 16 * 1024
const maxBytes = 2 * 1024 * 1024

/** Listens for p11-kit's client. The TLS server name is the id of a module. */
export async function openRemote(
  { database, log }: Platform,
  { remotePort, remoteAddress, remoteCertificate, remoteKey }: HsmSettings,
  runtime: RemoteRuntime,
): Promise<RemoteListener> {
  if (remoteCertificate === undefined || remoteKey === undefined)
    throw new Error('ICOSA_HSM_REMOTE_PORT needs ICOSA_HSM_REMOTE_CERTIFICATE and ICOSA_HSM_REMOTE_KEY.')
  const [cert, key] = await Promise.all([readFile(remoteCertificate), readFile(remoteKey)])
  const sockets = new Set<TLSSocket>()
  const connections = new Map<string, number>()
  const onError = (err: unknown) => log.error({ err }, 'remote PKCS#11 access failed')

  async function serve(socket: TLSSocket): Promise<void> {
    const { servername } = socket as { readonly servername?: string | false }
    if (!servername || !/^[0-9a-f-]{36}$/.test(servername)) return
    const module = await runtime.directory.find(servername)
    if (module?.state !== 'Succeeded') return
    const remote = new Remote({ module, runtime, db: database.of(module.tenant).reading })
    const readFrames = frames(() => (remote.isLoggedIn ? maxBytes : maxAnonymousBytes))
    let isGreeted = false
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      if (!isGreeted) socket.write(Buffer.of(0)) // the only protocol version
      const calls = readFrames(isGreeted ? chunk : chunk.subarray(1))
      isGreeted = true
      for (const frame of calls) socket.write(toBytes({ ...frame, body: await answer(remote, frame.body, onError) }))
      if (remote.isLoggedIn) socket.setTimeout(idleMs)
    }
  }

  const server = createServer({ cert, key, minVersion: 'TLSv1.2', handshakeTimeout: handshakeMs }, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.setTimeout(anonymousMs, () => socket.destroy())
    serve(socket)
      .catch((error: Error & { code?: string }) => {
        if (!(error instanceof MalformedMessage) && error.code === undefined) onError(error)
      })
      .finally(() => socket.destroy())
  })
  // Counted before the handshake: otherwise connections that never start one could use up the limit.
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const count = (connections.get(address) ?? 0) + 1
    connections.set(address, count)
    socket.once('close', () => {
      const remaining = (connections.get(address) ?? 1) - 1
      if (remaining > 0) connections.set(address, remaining)
      else connections.delete(address)
    })
    if (count > maxPerAddress) socket.destroy()
  })
  server.on('tlsClientError', (_, socket) => socket.destroy())
  server.maxConnections = maxConnections
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(remotePort, remoteAddress, () => {
      server.off('error', reject).on('error', onError)
      resolve()
    })
  })
  return {
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
