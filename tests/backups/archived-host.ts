import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, chown, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, commandAs } from '@icosa/module'
import { freePort } from '@icosa/testing'
import pg from 'pg'
import { serverAccount } from '../../services/sql-databases/src/recovery/account.ts'

/** A SQL host as an operator sets it up: Debian's PostgreSQL, one role that creates databases, and one that archives. */
export interface ArchivedHost extends AsyncDisposable {
  readonly adminUrl: string
  readonly archiveUrl: string
  readonly superuserUrl: string
}

const debian = '/usr/lib/postgresql'

async function run(account: Account | undefined, program: string, args: readonly string[]): Promise<void> {
  const [name, ...all] = commandAs(account, program, args)
  const { status, stderr } = spawnSync(name, all, { cwd: '/', encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program}: ${stderr}`)
}

export async function archivedHost(more: Readonly<Record<string, string>> = {}): Promise<ArchivedHost> {
  const versions = (await readdir(debian)).toSorted((a, b) => Number(b) - Number(a))
  const programs = join(debian, versions[0] ?? '', 'bin')
  const account = await serverAccount()
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'icosa-host-'))
  if (account) await chown(folder, account.uid, account.gid)
  await chmod(folder, 0o700)
  const data = join(folder, 'data')
  await run(account, join(programs, 'initdb'), [
    '-D',
    data,
    '-U',
    'root_of_all',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-sync',
  ])
  const port = await freePort()
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', max_connections: 200, ...more }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
  await appendFile(join(data, 'postgresql.conf'), lines.join(''))
  const [name, ...args] = commandAs(account, join(programs, 'postgres'), ['-D', data])
  const server: ChildProcess = spawn(name, args, { cwd: '/', stdio: 'ignore' })
  const urlOf = (role: string) => `postgres://${role}:secret@127.0.0.1:${port}/postgres`
  const superuserUrl = urlOf('root_of_all')
  await answering(superuserUrl, server)
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  await client.query(`
    create role icosa login createdb createrole password 'secret';
    create role icosa_archive login replication password 'secret';
    grant connect on database postgres to icosa, icosa_archive;
    revoke connect, temporary on database postgres, template1 from public`)
  await client.end()
  return {
    superuserUrl,
    adminUrl: urlOf('icosa'),
    archiveUrl: urlOf('icosa_archive'),
    async [Symbol.asyncDispose]() {
      const exit = once(server, 'exit')
      server.kill('SIGQUIT')
      await exit
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

async function answering(url: string, server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    const isThere = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    if (isThere) return
    await sleep(50)
  }
  throw new Error('The SQL host did not start.')
}
