import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDev } from '../testing/dev.ts'

// The official client, against the command as an assistant starts it.
const cli = fileURLToPath(new URL('../../bin/icosa.js', import.meta.url))
let client: Client

async function connected(...flags: readonly string[]): Promise<Client> {
  const own = new Client({ name: 'test', version: '1' })
  const args = [cli, 'mcp', ...flags]
  await own.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' }))
  return own
}

beforeAll(async () => {
  client = await connected('--temporary', '--services', 'functions,backup')
})
afterAll(() => client.close())

interface Result {
  readonly isError?: boolean
  readonly content: readonly { readonly text: string }[]
}

async function tool(name: string, input: Record<string, unknown> = {}, on = client): Promise<string> {
  const options = { timeout: 600_000 }
  const { content, isError } = (await on.callTool({ name, arguments: input }, undefined, options)) as Result
  const text = content.map((one) => one.text).join('')
  if (isError) throw new Error(text)
  return text
}

interface Answer {
  readonly status: number
  readonly requestId: string
  // biome-ignore lint/suspicious/noExplicitAny: replies of many operations
  readonly body: any
}

const call = async (service: string, operation: string, more: object = {}): Promise<Answer> =>
  JSON.parse(await tool('callOperation', { service, operation, ...more }))

test('every tool has a description and a schema that the client accepts', async () => {
  const { tools } = await client.listTools()
  const names = tools.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['listServices', 'callOperation', 'moveClock', 'addFault', 'getHistory']),
  )
  for (const { description, inputSchema } of tools) {
    expect(description).toMatch(/^[A-Z].*\.$/s)
    expect(Object.keys(inputSchema.properties ?? {})).toEqual(expect.arrayContaining(inputSchema.required ?? []))
  }
})

test('from nothing to a deployed function with its logs', async () => {
  expect(await tool('listServices')).toContain('"functions"')
  expect(await tool('listOperations', { service: 'functions', search: 'upload' })).toMatch(/^generateUploadUrl: POST/m)
  expect(await tool('describeOperation', { service: 'functions', operation: 'createFunction' })).toContain('entryPoint')

  const place = { project: 'dev', location: 'europe-north1' }
  const { body: upload } = await call('functions', 'generateUploadUrl', { parameters: place, body: {} })
  const { pathname, searchParams } = new URL(upload.uploadUrl)
  const files = {
    'index.js': "exports.hello = (request, response) => { console.log('it was called'); response.send('good day') }\n",
  }
  const parameters = { upload: pathname.split('/').at(-1), ...Object.fromEntries(searchParams) }
  expect((await call('functions', 'uploadSource', { parameters, files })).status).toBe(200)

  const source = { storageSource: upload.storageSource }
  const created = await call('functions', 'createFunction', {
    parameters: { ...place, functionId: 'hello' },
    body: { buildConfig: { runtime: 'nodejs24', entryPoint: 'hello', source } },
  })
  expect(created.status).toBe(200)
  const operation = String(created.body.name).split('/').at(-1)
  const deployed = () => call('functions', 'getOperation', { parameters: { ...place, operation } })
  await expect.poll(async () => (await deployed()).body.done, { timeout: 240_000 }).toBe(true)
  expect((await deployed()).body.error).toBeUndefined()

  const named = { parameters: { ...place, function: 'hello' } }
  const called = await call('functions', 'callFunction', { ...named, body: { method: 'GET', path: '/' } })
  expect(JSON.stringify(called.body)).toContain('good day')
  const logs = async () => JSON.stringify((await call('functions', 'listLogs', named)).body)
  await expect.poll(logs, { timeout: 120_000 }).toContain('it was called')
  await expect.poll(() => tool('getHistory', { request: created.requestId })).toContain('functions:createFunction')
})

test('requests, faults, the clock and snapshots', async () => {
  expect(
    (await call('backup', 'CreateBackupVault', { parameters: { backupVaultName: 'mine' }, body: {} })).status,
  ).toBe(200)
  await tool('addFault', { target: 'backup:ListBackupVaults', kind: 'error', code: 'ThrottlingException', times: 1 })
  const refused = await call('backup', 'ListBackupVaults')
  expect(refused.status).toBe(429)
  expect(await tool('watchRequests', { service: 'backup', minStatus: 429 })).toContain(refused.requestId)
  expect(await tool('readLogs', { service: 'backup' })).toContain('ListBackupVaults')
  await tool('removeFaults')

  await tool('moveClock', { to: '2040-01-01T00:00:00Z', frozen: true })
  await expect.poll(() => tool('getClock')).toContain('2040-01-01')
  expect(await tool('settleJobs', { timeoutMs: 60_000 })).toContain('true')
  expect((await call('backup', 'ListBackupVaults', { tenant: 'another' })).body).toEqual({ BackupVaultList: [] })

  expect(await tool('saveSnapshot', { snapshot: 'seeded' })).toContain('succeeded')
  await tool('resetState', { tenant: 'dev' })
  expect((await call('backup', 'ListBackupVaults')).body.BackupVaultList).toEqual([])
  expect(await tool('restoreSnapshot', { snapshot: 'seeded' })).toContain('succeeded')
  expect((await call('backup', 'ListBackupVaults')).body.BackupVaultList).toHaveLength(1)
})

test('mistakes are refused with the nearest name', async () => {
  await expect(call('bakcup', 'ListBackupVaults')).rejects.toThrow("Did you mean 'backup'?")
  await expect(call('backup', 'ListBackupVault')).rejects.toThrow("Did you mean 'ListBackupVaults'?")
  await expect(call('backup', 'ListBackupVaults', { parameters: { maxResult: 1 } })).rejects.toThrow("'maxResults'")
  await expect(call('backup', 'CreateBackupVault', { body: {} })).rejects.toThrow("'backupVaultName'")
  await expect(call('backup', 'ListBackupVaults', { body: {} })).rejects.toThrow('takes no body')
  await expect(tool('addFault', { target: 'backup:Nothing', kind: 'drop' })).rejects.toThrow('Nothing')
  await expect(tool('restoreSnapshot', { snapshot: 'none' })).rejects.toThrow('none')
})

test('it uses the instance of a data folder, which may start later and be replaced', async () => {
  await using dev = await startDev('--services', 'braille-translation')
  const own = await connected('--data', dev.folder)
  expect(await tool('listServices', {}, own)).toContain(`${dev.ready.url}/braille-translation`)
  const input = { service: 'braille-translation', operation: 'listTables', tenant: 'reader' }
  expect(await tool('callOperation', input, own)).toContain('"status": 200')
  expect(await tool('readLogs', { service: 'braille-translation' }, own)).toContain('listTables')
  await dev.icosa('stop')
  await expect(tool('listServices', {}, own)).rejects.toThrow('No `icosa dev` is running')
  await own.close()
})
