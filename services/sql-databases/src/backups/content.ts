import { once } from 'node:events'
import type { IpcNetConnectOpts, TcpNetConnectOpts } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Failure, type JobContext } from '@icosa/kernel'
import type { DatabaseRow } from '../databases/store.ts'
import { loadScript, type ServerVersion, sizeOf, versionOf } from '../host/dump-store.ts'
import type { Session, SignIn, SqlHost } from '../host/host.ts'
import { passwordPlace } from '../provisioning/passwords.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { openSession } from '../wal-archive/session.ts'
import { carried, carriedDump, remedyFor } from './carried.ts'
import { dump, load, missing, programFor } from './programs.ts'

type Access = Pick<JobContext<ServiceRuntime>, 'runtime' | 'tenantVault' | 'signal'>

/** Prefix of a dump for pg_restore; a script has none. */
const archivePrefix = 'PGDMP'

/** Streams a database with the machine's pg_dump, or with the bundled one if none is installed for the server's version. */
export async function readContent(row: DatabaseRow, context: Access, folder: string | undefined): Promise<Readable> {
  return readFrom(await access(row, context), folder, context.signal)
}

/** A database on a SQL host, with the password of its role. */
export interface Credentials {
  readonly host: SqlHost
  readonly name: string
  readonly password: string
}

export async function readFrom(
  { host, name, password }: Credentials,
  folder: string | undefined,
  signal: AbortSignal,
): Promise<Readable> {
  const server = await host.as(name, password, describe)
  const signIn = host.signIn(name, password)
  const { hostname, port, search } = new URL(signIn.url)
  // The bundled one does not support TLS.
  const direct = search === '' ? { address: { host: hostname, port: Number(port || 5432) }, password } : undefined
  return dumpOf({ ...server, signIn, user: name, direct }, folder, signal)
}

/** The same for a private server, which trusts every connection. */
export async function readPrivately(
  { host, port }: { readonly host: string; readonly port: number },
  name: string,
  folder: string | undefined,
  signal: AbortSignal,
): Promise<Readable> {
  await using session = await openSession({ host, port, user: name, database: name })
  const server = await describe(session)
  const quoted = `'${host.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const signIn = { url: `host=${quoted} port=${port} user=${name} dbname=${name}`, env: {} }
  const direct = { address: { path: join(host, `.s.PGSQL.${port}`) }, password: '' }
  return dumpOf({ ...server, signIn, user: name, direct }, folder, signal)
}

interface Source {
  readonly version: ServerVersion
  readonly bytes: number
  readonly signIn: SignIn
  readonly user: string
  readonly direct: { readonly address: TcpNetConnectOpts | IpcNetConnectOpts; readonly password: string } | undefined
}

const describe = async (role: Session) => ({ version: await versionOf(role), bytes: await sizeOf(role) })

async function dumpOf(source: Source, folder: string | undefined, signal: AbortSignal): Promise<Readable> {
  const { version, bytes, signIn, user, direct } = source
  const program = await programFor('pg_dump', version.major, folder)
  if (program !== undefined) return dump(program, signIn, signal)
  if (version.major !== carried.major || version.minor > carried.lastMinor || !direct) missing('pg_dump', version.major)
  if (bytes > carried.maxBytes)
    throw new Failure(
      'unavailable',
      `The database has ${bytes} bytes, and the pg_dump bundled with Icosa supports at most ${carried.maxBytes}. ${remedyFor(version.major)}`,
    )
  return carriedDump({ ...direct, user }, signal)
}

/** Loads a dump into an empty database. */
export async function writeContent(row: DatabaseRow, content: Readable, context: Access, folder: string | undefined) {
  await loadInto(await access(row, context), content, folder, context.signal)
}

export async function loadInto(
  { host, name, password }: Credentials,
  content: Readable,
  folder: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (!(await isArchive(content))) {
    const script = (await buffer(content)).toString()
    return host.as(name, password, (role) => loadScript(role, script))
  }
  const { major } = await host.as(name, password, versionOf)
  const program = (await programFor('pg_restore', major, folder)) ?? missing('pg_restore', major)
  await load(program, host.signIn(name, password), content, signal)
}

const access = async (
  { id, physical, password }: DatabaseRow,
  { runtime, tenantVault }: Access,
): Promise<Credentials> => ({
  host: runtime.host(),
  name: physical,
  password: (await tenantVault()).open(password, passwordPlace(id)),
})

async function isArchive(content: Readable): Promise<boolean> {
  await once(content, 'readable')
  const start: Buffer | null = content.read()
  if (start === null) return false
  content.unshift(start)
  return start.subarray(0, archivePrefix.length).toString() === archivePrefix
}
