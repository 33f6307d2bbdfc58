import { Failure, type MoveEnd, type Vault } from '@icosa/kernel'
import { newPassword, verifierOf } from '@icosa/tokens/passwords/scram'
import { type Credentials, loadInto, readFrom } from '../backups/content.ts'
import { hostCollationFor } from '../configuration/collation.ts'
import { type DatabaseRow, installation } from '../databases/store.ts'
import { openSqlHost, type SqlHost } from '../host/host.ts'
import { prepareHost } from '../host/preparation.ts'
import { removeAll } from '../host/removal.ts'
import { endSessionsIn, endSessionsOf } from '../host/sessions-store.ts'
import { applyStorage } from '../host/storage.ts'
import * as onHost from '../host/store.ts'
import { passwordPlace } from '../provisioning/passwords.ts'
import type { SqlSettings } from '../settings.ts'
import * as store from './store.ts'

export type End = MoveEnd<SqlSettings>

export const hostOf = ({ place }: End): SqlHost => openSqlHost(place)()

/**
 * Copies a database that only the mover can sign in to, with a password of its own: nothing is read or loaded with more rights
 * than its tenant has. Returns the size of the copy.
 */
export async function copyDatabase(
  { from, to }: { readonly from: End; readonly to: End },
  row: DatabaseRow,
  text: string,
) {
  const { physical } = row
  const [source, target] = [hostOf(from), hostOf(to)]
  const password = newPassword()
  const verifier = await verifierOf(password)
  const before = await source.alone([physical], async (admin) => {
    await onHost.setPassword(admin, physical, verifier)
    await onHost.setSignIn(admin, physical, true)
    await onHost.setOpen(admin, physical, true)
    await endSessionsOf(admin, physical)
    await endSessionsIn(admin, physical)
    return {
      settings: await store.roleSettings(admin, physical),
      limits: (await onHost.currentLimits(admin, [physical]))[0],
      bytes: (await onHost.measure(admin, [physical])).get(physical)?.bytes ?? 0,
    }
  })
  await target.alone([physical], async (admin) => {
    await removeAll(target, admin, physical)
    await prepareHost(admin, await installation(to.database), to.place)
    await onHost.makeRole(admin, physical)
    await store.mark(admin, physical, text)
    await onHost.makeDatabase(admin, physical, row.collation === null ? null : hostCollationFor(row.collation))
    await onHost.giveDatabase(admin, physical)
    await onHost.setOpen(admin, physical, true)
    await target.inside(physical, (inside) => onHost.givePublicSchema(inside, physical))
    await onHost.setPassword(admin, physical, verifier)
    await onHost.setSignIn(admin, physical, true)
    if (before.limits) await onHost.setConnections(admin, physical, before.limits.databaseConnections)
  })
  const [one, other] = await load(
    { host: source, name: physical, password },
    { host: target, name: physical, password },
    { programs: [from.place.programs, to.place.programs], settings: before.settings },
  ).catch((cause: Error) => {
    if (cause instanceof Failure) throw cause
    // The tenant must not wait for a copy that cannot be made.
    throw new Failure('conflict', `The SQL database '${row.databaseName}' could not be copied: ${cause.message}`, {
      cause,
    })
  })
  const different = [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name))
  if (different.length > 0)
    throw new Failure(
      'conflict',
      `The copy of the SQL database '${row.databaseName}' differs in ${different.slice(0, 5).join(', ')}.`,
    )
  return { bytes: before.bytes, tables: one.size - 1 }
}

interface LoadOptions {
  readonly programs: readonly [string | undefined, string | undefined]
  readonly settings: readonly store.RoleSetting[]
}

/** Returns the digests of both. */
async function load(from: Credentials, to: Credentials, { programs, settings }: LoadOptions) {
  const { signal } = new AbortController()
  await loadInto(to, await readFrom(from, programs[0], signal), programs[1], signal)
  await to.host.as(to.name, to.password, (own) => store.applySettings(own, to.name, settings))
  const digestsOf = ({ host, name, password }: Credentials) => host.as(name, password, store.digests)
  return Promise.all([digestsOf(from), digestsOf(to)])
}

/** Gives a database back to its clients, in the state of its row. */
export async function openDatabase(at: End, row: DatabaseRow, vault: Vault): Promise<void> {
  const { physical, status } = row
  const verifier = await verifierOf(vault.open(row.password, passwordPlace(row.id)))
  await hostOf(at).alone([physical], async (admin) => {
    if (!(await onHost.hasRole(admin, physical)) || !(await onHost.hasDatabase(admin, physical))) return
    await applyStorage(admin, physical, row)
    await onHost.setPassword(admin, physical, verifier)
    await onHost.setOpen(admin, physical, status !== 'Paused')
    if (status === 'Paused') await endSessionsIn(admin, physical)
    await store.mark(admin, physical, null)
  })
}
