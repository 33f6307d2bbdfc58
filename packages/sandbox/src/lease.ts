import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { Failure } from '@icosa/kernel'
import { isRootless } from './rootless.ts'

/**
 * An owner is alive while its lease, a unix socket, accepts connections. The kernel closes it with the process, however
 * that ends, and accepts connections while the process is busy: no timeout that a busy machine could exceed, and no PID
 * that may have been reused.
 */
export interface Lease {
  release(): Promise<void>
}

/** Linux allows 107 bytes; sockets of programs are below a lease. */
const maxBytes = 80

/** Whether the path fits a unix socket on Linux. */
export const fitsLease = (file: string): boolean => Buffer.byteLength(file) <= maxBytes

/** The folder itself, or a substitute with a shorter path if an owner's lease in it would be too long. */
export function shortened(folder: string): string {
  if (fitsLease(`${folder}/${'0'.repeat(16)}.lease`)) return folder
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  return `${isRootless() ? '/tmp' : '/run'}/icosa-${name}`
}

export async function holdLease(file: string): Promise<Lease> {
  if (!fitsLease(file))
    throw new Failure(
      'invalid',
      `The state folder of the sandbox is too deep for unix sockets: '${file}' must have at most ${maxBytes} bytes.`,
    )
  const server = createServer((socket) => socket.destroy())
  server.unref()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(file, resolve))
  server.removeAllListeners('error').on('error', () => {})
  return {
    async release() {
      await new Promise((resolve) => server.close(resolve))
      await rm(file, { force: true })
    },
  }
}

export async function isHeld(file: string): Promise<boolean> {
  const socket = connect(file)
  return (await new Promise((resolve) => {
    socket.on('connect', () => resolve(true))
    // Only these two mean that the owner is dead. Others, such as a full queue, are a sign of life.
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'))
  }).finally(() => socket.destroy())) as boolean
}
