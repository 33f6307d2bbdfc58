import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { client } from '@icosa/client'
import { accountOf } from '@icosa/dialects/signed/arn'
import { resourcesIn } from '@icosa/kernel'
import { credentialsFor, startTestApp, type TestApp, type TestAppOptions } from '@icosa/testing'
import { expect } from 'vitest'
import * as contracts from '../contract.ts'
import type { BackupSettings } from '../settings.ts'
import { testService } from './service.ts'
import { thingId, thingType } from './things.ts'

export const tenant = 'acme'
export const IamRoleArn = 'arn:aws:iam::123456789012:role/backup'
export const arn = (rest: string, of = tenant) => `arn:aws:backup:us-east-1:${accountOf(of)}:${rest}`
export const thingArn = (name: string) => `arn:aws:backup:us-east-1:${accountOf(tenant)}:things/${name}`

export interface World extends AsyncDisposable {
  readonly app: TestApp
  readonly folder: string
  readonly calls: Calls
  caller(tenant: string, permissions?: readonly string[]): Promise<Calls>
  /** A file with these contents, and its entry in the registry. */
  thing(name: string, content: string | Uint8Array, tags?: Record<string, string>): Promise<string>
  read(name: string): Promise<string>
  forgetThing(name: string): Promise<void>
  /** Backs it up now, and returns the ARN of the recovery point. */
  backUp(name: string, vault: string, more?: object): Promise<string>
  restore(RecoveryPointArn: string, Metadata?: Record<string, string>): Promise<RestoreJob>
  /** Total size of all repositories. */
  storedBytes(): Promise<number>
}

type RestoreJob = Awaited<ReturnType<Calls['DescribeRestoreJob']>>['body']
export type Calls = Awaited<ReturnType<typeof callsOf>>

async function callsOf(...of: Parameters<typeof credentialsFor>) {
  const { account, backupJobs, copyJobs, frameworks, legalHolds, plans, recoveryPoints, reports, resources } = contracts
  const { restoreJobs, restoreTesting, selections, summaries, tags, vaults } = contracts
  const jobs = { ...backupJobs, ...copyJobs, ...restoreJobs }
  const data = { ...legalHolds, ...plans, ...recoveryPoints, ...resources, ...selections, ...vaults }
  const audited = { ...frameworks, ...reports, ...restoreTesting, ...summaries }
  return client({ ...account, ...jobs, ...data, ...audited, ...tags }, await credentialsFor(...of))
}

export async function startBackup(
  options: Partial<TestAppOptions> = {},
  settings: Partial<BackupSettings> = {},
): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-backup-'))
  const directory = join(folder, 'things')
  await mkdir(directory)
  const service = testService(folder, settings)
  const app = await startTestApp({ services: [service], ...options })
  const calls = await callsOf(app, service, tenant)
  const { database, clock } = app.platform
  const registry = resourcesIn(database, clock, 'backup', tenant)
  const file = (name: string) => join(directory, name)

  return {
    app,
    folder,
    calls,
    caller: (of, permissions) => callsOf(app, service, of, permissions),
    async thing(name, content, tags = {}) {
      await writeFile(file(name), content)
      await registry.put({ id: thingId(name), type: thingType, name, tags })
      return thingArn(name)
    },
    read: (name) => readFile(file(name), 'utf8'),
    async forgetThing(name) {
      await rm(file(name), { force: true })
      await registry.remove(thingId(name))
    },
    async backUp(name, BackupVaultName, more = {}) {
      const body = { BackupVaultName, ResourceArn: thingArn(name), IamRoleArn, ...more }
      const { BackupJobId, RecoveryPointArn } = (await calls.StartBackupJob({ body })).body
      await app.jobs.drain()
      const job = (await calls.DescribeBackupJob({ params: { backupJobId: BackupJobId } })).body
      expect(job).toMatchObject({ State: 'COMPLETED' })
      return RecoveryPointArn
    },
    async restore(RecoveryPointArn, Metadata = {}) {
      const { body } = await calls.StartRestoreJob({ body: { RecoveryPointArn, Metadata } })
      await app.jobs.drain()
      return (await calls.DescribeRestoreJob({ params: { restoreJobId: body.RestoreJobId } })).body
    },
    storedBytes: () => sizeOf(join(folder, 'repositories')),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name))),
  )
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

/** Incompressible bytes, the same for the same seed. */
export function noise(bytes: number, seed = 'noise'): Buffer {
  const blocks = Array.from({ length: Math.ceil(bytes / 32) }, (_, n) =>
    createHash('sha256').update(`${seed} ${n}`).digest(),
  )
  return Buffer.concat(blocks).subarray(0, bytes)
}

/** The expected shape of an error. */
export const refusal = (Code: string, message: RegExp) => ({ body: { Code, Message: expect.stringMatching(message) } })
