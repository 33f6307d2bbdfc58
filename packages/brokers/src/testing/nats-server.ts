import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A NATS server for one test, which can be killed and restarted with its data. */
export async function startNatsServer(...options: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-nats-'))
  const port = await freePort()
  const start = async () => {
    const storage = ['--jetstream', '--store_dir', folder]
    const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port), ...storage, ...options], {
      stdio: 'ignore',
    })
    const exit = once(child, 'exit')
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}: ${options.join(' ')}`)
      await sleep(20)
    }
    return { child, exit }
  }
  let running = await start()
  const kill = async () => {
    running.child.kill('SIGKILL')
    await running.exit
  }
  return {
    host: `127.0.0.1:${port}`,
    kill,
    restart: async () => {
      running = await start()
    },
    async [Symbol.asyncDispose]() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // never null for a listening server
  await new Promise((resolve) => server.close(resolve))
  return port
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => resolve(true)).once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
    socket.once('data', () => socket.destroy())
  })
