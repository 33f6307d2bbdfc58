import { once } from 'node:events'
import type { IpcNetConnectOpts, TcpNetConnectOpts } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Failure, type JobContext } from '@icosa/kernel'
import type { DatabaseRow } from '../databases/store.ts'
import { loadScript, type ServerVersion, sizeOf, versionOf } from '../host/dump-store.ts'
import type { Session, SignIn } from '../host/host.ts'
import { passwordPlace } from '../provisioning/passwords.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { openSession } from '../wal-archive/session.ts'
import { carried, carriedDump, remedyFor } from './carried.ts'
import { dump, load, missing, programFor } from './programs.ts'

type Inside = Pick<JobContext<ServiceRuntime>, 'runtime' | 'vault' | 'signal'>

/** With what a dump of pg_dump begins that pg_restore can read; a script begins otherwise. */
const archiveMark = 'PGDMP'

/** A database as a stream: by the machine's own pg_dump, or by ours where there is none that knows the server. */
export async function readContent(row: DatabaseRow, context: Inside, folder: string | undefined): Promise<Readable> {
  const { host, password } = access(row, context)
  const facts = await host.as(row.physical, password, factsOf)
  const signIn = host.signIn(row.physical, password)
  const { hostname, port, search } = new URL(signIn.url)
  // Ours knows nothing of certificates.
  const direct = search === '' ? { address: { host: hostname, port: Number(port || 5432) }, password } : undefined
  return dumpOf({ ...facts, signIn, user: row.physical, direct }, folder, context.signal)
}

/** The same of a server that only this machine can reach, and that believes everybody. */
export async function readPrivately(
  { host, port }: { readonly host: string; readonly port: number },
  name: string,
  folder: string | undefined,
  signal: AbortSignal,
): Promise<Readable> {
  await using session = await openSession({ host, port, user: name, database: name })
  const facts = await factsOf(session)
  const quoted = `'${host.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const signIn = { url: `host=${quoted} port=${port} user=${name} dbname=${name}`, env: {} }
  const direct = { address: { path: join(host, `.s.PGSQL.${port}`) }, password: '' }
  return dumpOf({ ...facts, signIn, user: name, direct }, folder, signal)
}

interface Source {
  readonly version: ServerVersion
  readonly bytes: number
  readonly signIn: SignIn
  readonly user: string
  readonly direct: { readonly address: TcpNetConnectOpts | IpcNetConnectOpts; readonly password: string } | undefined
}

const factsOf = async (role: Session) => ({ version: await versionOf(role), bytes: await sizeOf(role) })

async function dumpOf(source: Source, folder: string | undefined, signal: AbortSignal): Promise<Readable> {
  const { version, bytes, signIn, user, direct } = source
  const program = await programFor('pg_dump', version.major, folder)
  if (program !== undefined) return dump(program, signIn, signal)
  if (version.major !== carried.major || version.minor > carried.lastMinor || !direct) missing('pg_dump', version.major)
  if (bytes > carried.maxBytes)
    throw new Failure(
      'unavailable',
      `The database has ${bytes} bytes, and the pg_dump that Icosa brings takes at most ${carried.maxBytes}. ${remedyFor(version.major)}`,
    )
  return carriedDump({ ...direct, user }, signal)
}

/** The other way round, into a database in which nothing is yet. */
export async function writeContent(row: DatabaseRow, content: Readable, context: Inside, folder: string | undefined) {
  const { host, password } = access(row, context)
  if (!(await isArchive(content))) {
    const script = (await buffer(content)).toString()
    return host.as(row.physical, password, (role) => loadScript(role, script))
  }
  const { major } = await host.as(row.physical, password, versionOf)
  const program = (await programFor('pg_restore', major, folder)) ?? missing('pg_restore', major)
  await load(program, host.signIn(row.physical, password), content, context.signal)
}

const access = ({ id, physical, password }: DatabaseRow, { runtime, vault }: Inside) => ({
  host: runtime.host(),
  physical,
  password: vault.open(password, passwordPlace(id)),
})

async function isArchive(content: Readable): Promise<boolean> {
  await once(content, 'readable')
  const start: Buffer | null = content.read()
  if (start === null) return false
  content.unshift(start)
  return start.subarray(0, archiveMark.length).toString() === archiveMark
}
