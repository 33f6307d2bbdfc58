import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Things that a program must not reach, with detection. */
export interface TestHost {
  /** Occurs in the secret file, the environment and the shared memory of the host. */
  readonly canary: string
  readonly secret: string
  /** Folder bound to `/offered`: a file, a symlink to the secret, a socket, a setuid program. */
  readonly offered: string
  readonly state: string
  readonly victim: number
  readonly port: number
  readonly address: string
  readonly abstract: string
  readonly sharedMemory: number
  /** Number of connections to the host's sockets. */
  connections(): number
  close(): Promise<void>
}

export async function openTestHost(): Promise<TestHost> {
  const canary = `canary-${randomBytes(8).toString('hex')}`
  const folder = mkdtempSync('/tmp/sandbox-')
  const offered = `${folder}/offered`
  chmodSync(folder, 0o755)
  mkdirSync(offered)
  writeFileSync(`${folder}/secret`, canary)
  writeFileSync(`${offered}/readable`, 'as it was')
  symlinkSync(`${folder}/secret`, `${offered}/way-out`)
  copyFileSync('/usr/bin/id', `${offered}/becomes-root`)
  chmodSync(`${offered}/becomes-root`, 0o4755)
  process.env.SANDBOX_CANARY = canary
  const victim = spawn('sleep', ['infinity'])
  let connections = 0
  const abstract = `sandbox-${canary}`
  const listening = (...where: [number] | [string]) =>
    new Promise<Server>((resolve) => {
      const server = createServer((socket) => {
        connections += 1
        socket.on('error', () => {}).end(canary, () => socket.destroy()) // an open connection would delay the end
      })
      server.listen(...(where as [number]), () => resolve(server))
    })
  const onTcp = await listening(0)
  const servers = [onTcp, await listening(`${offered}/host.sock`), await listening(`\0${abstract}`)]
  chmodSync(`${offered}/host.sock`, 0o777)
  const sharedMemory = 1 + (randomBytes(4).readUInt32BE() >>> 2)
  perl(`my $id = shmget(${sharedMemory}, 64, 01666) // die $!; shmwrite($id, '${canary}', 0, 64) or die $!`)
  const address = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  return {
    ...{ canary, secret: `${folder}/secret`, offered, state: `${folder}/state`, abstract, sharedMemory },
    victim: victim.pid ?? 0,
    port: (onTcp.address() as { port: number }).port,
    address: address.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.2',
    connections: () => connections,
    async close() {
      await killed(victim)
      perl(`shmctl(shmget(${sharedMemory}, 64, 0666), 0, 0)`)
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function perl(text: string): void {
  const { status, stderr } = spawnSync('perl', ['-e', text], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exit
}
