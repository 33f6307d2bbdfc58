import { verifierOf } from '@icosa/tokens/passwords/scram'
import pg from 'pg'
import { adminRole, mainDatabase } from '../names.ts'

/** A role of the tenant. None is a superuser, which could read the node's files. */
export interface Login {
  readonly name: string
  readonly password: string
}

const quoted = (text: string) => pg.escapeLiteral(text)

/** Creates the roles and the database of a machine's tenant. Idempotent, and repeated after every start. */
export async function prepareRoles(client: pg.Client, password: string, login: Login | undefined): Promise<void> {
  await makeRole(client, { name: adminRole, password }, 'createdb')
  // Rights to read statistics and terminate sessions, but not to access files or programs.
  await client.query(`grant pg_monitor, pg_signal_backend, pg_checkpoint to ${adminRole}`)
  const { rowCount } = await client.query('select from pg_database where datname = $1', [mainDatabase])
  if (rowCount === 0) {
    await client.query(`create database ${mainDatabase} owner ${adminRole}`)
    await client.query('checkpoint') // a copy waits for a checkpoint, which would otherwise take minutes
  }
  await client.query(`revoke all on database ${mainDatabase} from public`)
  if (!login) return
  await makeRole(client, login, 'createdb')
  await client.query(`grant ${adminRole} to ${pg.escapeIdentifier(login.name)}`)
}

export async function makeRole(client: pg.Client, { name, password }: Login, options: string): Promise<void> {
  const role = pg.escapeIdentifier(name)
  const { rows } = await client.query<{ verifier: string | null }>(
    'select rolpassword as verifier from pg_authid where rolname = $1',
    [name],
  )
  if (rows.length === 0) await client.query(`create role ${role} login ${options}`)
  const verifier = rows[0]?.verifier
  const [, salt] = /^SCRAM-SHA-256\$\d+:([^$]+)\$/.exec(verifier ?? '') ?? []
  const isSame = salt !== undefined && (await verifierOf(password, Buffer.from(salt, 'base64'))) === verifier
  if (!isSame) await client.query(`alter role ${role} password ${quoted(await verifierOf(password))}`)
}
