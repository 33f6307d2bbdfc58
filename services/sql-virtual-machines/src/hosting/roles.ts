import { verifierOf } from '@icosa/tokens/passwords/scram'
import pg from 'pg'
import { adminRole, mainDatabase } from '../names.ts'

/** A role of the tenant's. None is a superuser: that one reaches the files of the node. */
export interface Login {
  readonly name: string
  readonly password: string
}

const quoted = (text: string) => pg.escapeLiteral(text)

/** All that a machine's tenant finds in it. Again after every start: what is there already stays as it is. */
export async function prepareRoles(client: pg.Client, password: string, login: Login | undefined): Promise<void> {
  await makeRole(client, { name: adminRole, password }, 'createdb')
  // What reads statistics and ends sessions, and nothing that reaches files or programs.
  await client.query(`grant pg_monitor, pg_signal_backend, pg_checkpoint to ${adminRole}`)
  const { rowCount } = await client.query('select from pg_database where datname = $1', [mainDatabase])
  if (rowCount === 0) {
    await client.query(`create database ${mainDatabase} owner ${adminRole}`)
    await client.query('checkpoint') // a copy waits until all of it is written, which takes minutes at PostgreSQL's leisure
  }
  await client.query(`revoke all on database ${mainDatabase} from public`)
  if (!login) return
  await makeRole(client, login, 'createdb')
  await client.query(`grant ${adminRole} to ${pg.escapeIdentifier(login.name)}`)
}

export async function makeRole(client: pg.Client, { name, password }: Login, rights: string): Promise<void> {
  const role = pg.escapeIdentifier(name)
  const { rows } = await client.query<{ verifier: string | null }>(
    'select rolpassword as verifier from pg_authid where rolname = $1',
    [name],
  )
  if (rows.length === 0) await client.query(`create role ${role} login ${rights}`)
  const verifier = rows[0]?.verifier
  const [, salt] = /^SCRAM-SHA-256\$\d+:([^$]+)\$/.exec(verifier ?? '') ?? []
  const same = salt !== undefined && (await verifierOf(password, Buffer.from(salt, 'base64'))) === verifier
  if (!same) await client.query(`alter role ${role} password ${quoted(await verifierOf(password))}`)
}
