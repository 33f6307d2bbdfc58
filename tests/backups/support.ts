import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup } from '@icosa/backup'
import * as contracts from '@icosa/backup/contract'
import { settings } from '@icosa/backup/settings'
import { client } from '@icosa/client'
import type { JobContext, Service } from '@icosa/kernel'
import { dropPhysical } from '@icosa/sql-databases/testing/app'
import { credentialsFor, startTestApp, testServerUrl } from '@icosa/testing'
import { allServices } from '../../apps/server/src/services.ts'
import * as points from '../../services/backup/src/recovery-points/store.ts'
import { openRestic } from '../../services/backup/src/restic/restic.ts'
import { repositoryOf } from '../../services/backup/src/vaults/repository.ts'
import * as kept from '../../services/backup/src/vaults/store.ts'
import type { Registered } from './registry-store.ts'

export const tenant = '123456789012'
export const IamRoleArn = `arn:aws:iam::${tenant}:role/backup`

/** Starts all services, or the chosen ones, with backup vaults in a temporary folder. */
export async function startEverything(chosen?: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-types-'))
  const choices = { ...settings.read({}), region: 'us-east-1', repositories: join(folder, 'repositories') }
  const vaults = backup(choices)
  const restic = openRestic(choices)
  const others = (await allServices({ databaseUrl: testServerUrl })).filter(
    ({ name }) => name !== vaults.name && (chosen?.includes(name) ?? true),
  )
  const services: readonly Service[] = [...others, vaults]
  const app = await startTestApp({ services })
  const ownerOf = (name: string) =>
    credentialsFor(app, services.find((service) => service.name === name) ?? vaults, tenant)
  const { backupJobs, recoveryPoints, restoreJobs, restoreTesting, vaults: vaultCalls } = contracts
  const calls = client(
    { ...backupJobs, ...recoveryPoints, ...restoreJobs, ...restoreTesting, ...vaultCalls },
    await ownerOf('backup'),
  )
  return {
    app,
    services,
    calls,
    ownerOf,
    /** Hash of a recovery point's content in the vault. */
    async hashOf(id: string): Promise<string> {
      const { database, cellVault } = app.platform
      const point = await points.find(database, tenant, id)
      const row = await kept.find(database, tenant, point?.vault ?? '')
      if (!point || !row) throw new Error(`There is no recovery point '${id}'.`)
      const signal = AbortSignal.timeout(60_000)
      const hash = createHash('sha256')
      for await (const chunk of await restic.read(
        repositoryOf(row, await cellVault.of(tenant)),
        point.snapshot,
        point.attempt,
        signal,
      ))
        hash.update(chunk)
      return hash.digest('hex')
    },
    /** Hash of what a backup of a resource would contain now. */
    async hashNow({ type, id }: Pick<Registered, 'type' | 'id'>): Promise<string> {
      const { database: db, backups, clock, cellVault } = app.platform
      const backup = backups.get(type)
      if (!backup) throw new Error(`No service backs up ${type}.`)
      const signal = AbortSignal.timeout(60_000)
      const context = { tenant, db, clock, tenantVault: () => cellVault.of(tenant), signal }
      const { content } = await backup.read(id, context as Partial<JobContext> as JobContext)
      const hash = createHash('sha256')
      for await (const chunk of content) hash.update(chunk)
      return hash.digest('hex')
    },
    async [Symbol.asyncDispose]() {
      await dropPhysical(app.platform.database)
      await app[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Everything = Awaited<ReturnType<typeof startEverything>>
