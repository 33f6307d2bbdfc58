import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { settings } from '../settings.ts'
import { IamRoleArn, noise, startBackup, tenant, thingArn, type World } from '../testing/app.ts'
import { thingType } from '../testing/things.ts'
import { backup } from './backup.ts'

const content = noise(600_000, 'commands')
let world: World
beforeAll(async () => {
  world = await startBackup()
  for (const backupVaultName of ['daily', 'empty'])
    await world.calls.CreateBackupVault({ params: { backupVaultName }, body: {} })
  await world.thing('orders', content)
  await world.backUp('orders', 'daily')
})
afterAll(() => world[Symbol.asyncDispose]())

/** Returns the command's standard output. */
async function run(words: string, flags: Record<string, string | boolean> = {}): Promise<string> {
  const { platform, url: baseUrl } = world.app
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
  try {
    await backup.run({
      note() {},
      words: words === '' ? [] : words.split(' '),
      flags,
      settings: { ...settings.read({}), repositories: join(world.folder, 'repositories') },
      facts: {
        baseUrl,
        region: 'us-east-1',
        scratchDirectory: world.folder,
        hasDevelopmentDatabase: false,
        backedUpTypes: [thingType],
      },
      withDatabase: (work) => work(platform.database),
      vaultOf: async () => platform.cellVault,
      openFetch: () => Promise.reject(new Error('It makes no requests.')),
      readPermissions: () => Promise.reject(new Error('It grants no permissions.')),
    })
    return stdout.mock.calls.map(([text]) => text).join('')
  } finally {
    stdout.mockRestore()
    stderr.mockRestore()
  }
}

test('restic opens a vault with the output of export-key', async () => {
  const output = await run('export-key daily', { tenant })
  const env = Object.fromEntries(
    [...output.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, name, value]) => [name, value]),
  )
  const restic = (...args: string[]) =>
    promisify(execFile)('restic', ['--no-cache', ...args], {
      env: { PATH: process.env.PATH, ...env },
      encoding: 'buffer',
      maxBuffer: 2 ** 26,
    })
  const [{ id, paths }] = JSON.parse((await restic('snapshots', '--json')).stdout.toString())
  expect((await restic('dump', id, paths[0])).stdout.equals(content)).toBe(true)
  await expect(run('export-key nothing', { tenant })).rejects.toThrow(/There is no vault/)
  await expect(run('export-key')).rejects.toThrow(/Which vault/)
  await expect(run('export-key daily', { tenant: 'mallory' })).rejects.toThrow(/There is no vault/)
})

test('shows vaults with their size, lock and last backup', async () => {
  const output = await run('')
  expect(output).toMatch(/acme\s+daily\s+1\s+[\d.]+ kB\s+-\s+.* UTC\s+COMPLETED/)
  expect(output).toMatch(/acme\s+empty\s+0\s+0 B\s+-\s+-\s+none yet/)
  expect(JSON.parse(await run('', { json: true })).vaults).toMatchObject([
    { name: 'daily', points: 1 },
    { name: 'empty' },
  ])
  expect(JSON.stringify(await run('', { json: true }))).not.toMatch(/password/)
})

test('shows how many resources each selection of a plan matches', async () => {
  const Rules = [{ RuleName: 'nightly', TargetBackupVaultName: 'daily' }]
  const { body } = await world.calls.CreateBackupPlan({ body: { BackupPlan: { BackupPlanName: 'counted', Rules } } })
  const params = { backupPlanId: body.BackupPlanId ?? '' }
  for (const [SelectionName, name] of [
    ['some', '/things/orders'],
    ['none', '/things/nothing'],
  ] as const) {
    const BackupSelection = { SelectionName, IamRoleArn, Resources: [name] }
    await world.calls.CreateBackupSelection({ params, body: { BackupSelection } })
  }
  const output = await run('', { tenant })
  expect(output).toMatch(/acme\s+counted\s+some\s+selects 1 resource$/m)
  expect(output).toMatch(/acme\s+counted\s+none\s+selects 0 resources$/m)
})

test('verify reads every byte and reports a damaged vault', async () => {
  const exitCode = process.exitCode
  expect(await run('verify')).toBe('acme/daily: all data is intact\n')
  expect(process.exitCode).toBe(exitCode)
  const data = join(world.folder, 'repositories')
  for (const file of await readdir(data, { recursive: true, withFileTypes: true })) {
    if (!file.isFile() || !/\/data\//.test(`${file.parentPath}/`)) continue
    const path = join(file.parentPath, file.name)
    const bytes = await readFile(path)
    bytes[100] = (bytes[100] ?? 0) ^ 1
    await writeFile(path, bytes)
  }
  expect(await run('verify daily', { tenant })).toMatch(/^acme\/daily: .*(does not match|invalid|corrupt|error)/i)
  expect(process.exitCode).toBe(1)
  process.exitCode = exitCode
})

test('rejects a job if restic is not installed, naming the package', async () => {
  await using bare = await startBackup()
  await bare.calls.CreateBackupVault({ params: { backupVaultName: 'daily' }, body: {} })
  await bare.thing('orders', 'x')
  const path = process.env.PATH
  process.env.PATH = '/nonexistent'
  try {
    const body = { BackupVaultName: 'daily', ResourceArn: thingArn('orders'), IamRoleArn }
    await expect(bare.calls.StartBackupJob({ body })).rejects.toMatchObject({
      status: 503,
      body: { Code: 'ServiceUnavailableException', Message: expect.stringMatching(/apt install restic/) },
    })
    expect((await bare.calls.ListBackupJobs({ query: {} })).body.BackupJobs).toEqual([])
  } finally {
    process.env.PATH = path
  }
  expect(await bare.backUp('orders', 'daily')).toMatch(/recovery-point/)
})
