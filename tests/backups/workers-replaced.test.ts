import { mkdtempDisposable, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as contracts from '@icosa/backup/contract'
import { client } from '@icosa/client'
import { signedFetch } from '@icosa/dialects/signed/fetch'
import { createTestDatabase } from '@icosa/testing'
import { expect, test } from 'vitest'
import { withPlatform } from '../../apps/server/src/node.ts'
import { allServices } from '../../apps/server/src/services.ts'
import { type Operator, operatorOf } from '../../apps/server/src/testing/operator.ts'

// Workers in separate processes, each with a data folder that is deleted with it, like pods.
const services = ['--services', 'backup,configuration-stores']
const IamRoleArn = 'arn:aws:iam::123456789012:role/any'
const patience = { timeout: 60_000 }

async function startCell() {
  const database = await createTestDatabase(withPlatform(await allServices(), 'system'))
  const shared = await mkdtempDisposable(join(tmpdir(), 'icosa-shared-'))
  const opened = new AsyncDisposableStack()
  opened.use(database)
  opened.use(shared)
  const places = {
    ICOSA_BLOBS: join(shared.path, 'blobs'),
    ICOSA_BACKUP_REPOSITORIES: join(shared.path, 'repositories'),
  }
  return {
    repositories: places.ICOSA_BACKUP_REPOSITORIES,
    operator: async (settings: NodeJS.ProcessEnv = {}) =>
      opened.use(await operatorOf(database.url, { ...places, ...settings })),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function callsOf(operator: Operator, url: string) {
  const [, id = '', secret = ''] =
    /^(AKI\S+)\s+(\S+)/m.exec(await operator.icosa('keys', 'create', '--tenant', 'acme', '--signing')) ?? []
  const signed = signedFetch({ id, secret, region: 'us-east-1', service: 'backup' })
  const { backupJobs, restoreJobs, vaults } = contracts
  return client({ ...backupJobs, ...restoreJobs, ...vaults }, { baseUrl: `${url}/backup`, fetch: signed })
}

test('a worker that does not share the repositories folder of the others does not start', async () => {
  await using cell = await startCell()
  const first = await cell.operator()
  await first.start('worker', ...services)
  await using elsewhere = await mkdtempDisposable(join(tmpdir(), 'icosa-pod-'))
  const lonely = await cell.operator({ ICOSA_BACKUP_REPOSITORIES: join(elsewhere.path, 'backup') })
  await expect(lonely.start('worker', ...services)).rejects.toThrow(
    /^icosa: ICOSA_BACKUP_REPOSITORIES is .* not the folder that the other nodes use/m,
  )
})

test.skipIf(!process.env.NIGHTLY)(
  'every backup can be restored after all workers were replaced',
  async () => {
    await using cell = await startCell()
    const first = await cell.operator()
    const api = await first.start('serve', ...services)
    const workers = [
      await first.start('worker', ...services),
      await (await cell.operator()).start('worker', ...services),
    ]
    const calls = await callsOf(first, api.url)
    await first.icosa('subscriptions', 'bind', 'main', '--tenant', 'acme')
    const key = (await first.icosa('keys', 'create', '--tenant', 'acme')).split('\n', 1)[0] ?? ''
    const idOf = (name: string) =>
      `/subscriptions/main/resourceGroups/g/providers/Vendor.AppConfiguration/configurationStores/${name}`
    const store = (name: string, body?: object) =>
      fetch(`${api.url}/configuration-stores${idOf(name)}?api-version=2019-11-01-preview`, {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { method: 'PUT', body: JSON.stringify(body) }),
      })
    const names = ['store-1', 'store-2', 'store-3', 'store-4']
    for (const name of names) expect((await store(name, { location: 'here', sku: { name: 'Standard' } })).ok).toBe(true)
    for (const name of names)
      await expect.poll(async () => (await store(name)).text(), patience).toContain('"provisioningState":"Succeeded"')

    const BackupVaultName = 'daily'
    await calls.CreateBackupVault({ params: { backupVaultName: BackupVaultName }, body: {} })
    const backUp = async (name: string) => {
      const { body } = await calls.StartBackupJob({ body: { BackupVaultName, IamRoleArn, ResourceArn: idOf(name) } })
      const describe = () => calls.DescribeBackupJob({ params: { backupJobId: body.BackupJobId } })
      await expect.poll(async () => (await describe()).body.CompletionDate, patience).toBeDefined()
      return { ...(await describe()).body, point: body.RecoveryPointArn }
    }
    const restore = async (RecoveryPointArn: string, configStoreName: string) => {
      const { body } = await calls.StartRestoreJob({ body: { RecoveryPointArn, Metadata: { configStoreName } } })
      const describe = () => calls.DescribeRestoreJob({ params: { restoreJobId: body.RestoreJobId } })
      await expect.poll(async () => (await describe()).body.CompletionDate, patience).toBeDefined()
      return (await describe()).body
    }
    const saved = await Promise.all(names.map(backUp))
    expect(saved.map(({ State }) => State)).toEqual(names.map(() => 'COMPLETED'))
    const replace = async () => {
      for (const worker of workers.splice(0)) await worker.stop()
      for (const _ of [1, 2]) workers.push(await (await cell.operator()).start('worker', ...services))
    }
    await replace()
    const restored = await Promise.all(saved.map(({ point }, number) => restore(point, `again-${number}`)))
    expect(restored.map(({ Status }) => Status)).toEqual(names.map(() => 'COMPLETED'))

    // All repositories are lost: jobs fail without naming operator paths, and do not create a second repository.
    await rm(cell.repositories, { recursive: true })
    const failures = [await backUp('store-1'), await restore(saved[0]?.point ?? '', 'never')]
    expect(failures).toMatchObject([{ State: 'FAILED' }, { Status: 'FAILED' }])
    for (const { StatusMessage } of failures) expect(StatusMessage).not.toContain('/')
    await expect(replace()).rejects.toThrow('If the folder was lost for good')
  },
  600_000,
)
