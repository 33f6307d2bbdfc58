import { hardwareSecurityModules } from '@icosa/hardware-security-modules'
import { raw, sql } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  at,
  type FunctionsApp,
  place,
  startFunctions,
  type Tenant,
  zipOf,
} from '../../services/functions/src/testing/app.ts'
import * as hsm from '../../services/hardware-security-modules/src/testing/app.ts'
import { openModule } from './support.ts'

let app: FunctionsApp
let acme: Tenant
let module: Awaited<ReturnType<typeof openModule>>
beforeAll(async () => {
  app = await startFunctions({}, { services: [hardwareSecurityModules({ folder: hsm.newFolder() })] })
  acme = await app.tenant()
  module = await openModule(app, 'functions')
})
afterAll(() => app[Symbol.asyncDispose]())

const secret = 'a value that only the key may show'
const code = `exports.hello = (request, response) => {
  if (request.path === '/exit') process.exit()
  response.send('${secret}: ' + process.env.SECRET)
}
`
const files = { 'index.js': code }
const variables = { SECRET: secret }

const nameOf = (key: string, moduleId = module.moduleId) =>
  `projects/shop/locations/here/keyRings/${moduleId}/cryptoKeys/${key}`

/** Sends a source to an upload URL with or without a key. */
async function upload(kmsKeyName?: string) {
  const { uploadUrl, storageSource } = (
    await acme.generateUploadUrl({ params: place, body: { ...(kmsKeyName && { kmsKeyName }) } })
  ).body
  const headers = { 'content-type': 'application/zip' }
  const { status } = await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(zipOf(files)) })
  expect(status).toBe(200)
  return storageSource
}

async function deploy(functionId: string, kmsKeyName: string) {
  const buildConfig = { runtime: 'nodejs24', entryPoint: 'hello', source: { storageSource: await upload(kmsKeyName) } }
  const serviceConfig = { environmentVariables: variables }
  const body = { kmsKeyName, buildConfig, serviceConfig }
  return acme.waitFor((await acme.createFunction({ params: place, query: { functionId }, body })).body)
}

async function call(name: string, path = '/'): Promise<string> {
  const { body } = await acme.callFunction({ params: at(name), body: { method: 'GET', path } })
  return `${body.status} ${body.body}`
}

const tables = ['functions.functions', 'functions.revisions', 'functions.uploads', 'icosa.jobs', 'icosa.operations']

/** Tables and blobs with the secret in plaintext. */
async function findPlaintext(): Promise<string[]> {
  const found: string[] = []
  const { database, blobsOf } = app.platform
  for (const table of tables) {
    const { count } = await database.one<{ count: number }>(
      sql`select count(*)::int as count from ${raw(table)} r where position(${secret} in r::text) > 0`,
    )
    if (count > 0) found.push(table)
  }
  const blobs = blobsOf('functions', 'acme')
  for (const { key } of (await blobs.list('', { limit: 1_000 })).items) {
    const { body } = await blobs.get(key)
    const content = Buffer.concat(await Array.fromAsync(body as AsyncIterable<Buffer>))
    if (content.subarray(0, 2).toString('latin1') === 'PK' || content.readUInt16BE(0) === 0x1f8b) found.push(key)
  }
  return found
}

const refusal = (message: RegExp) => ({ body: { error: { message: expect.stringMatching(message) } } })

test('source and environment are stored encrypted, read and run with the key', async () => {
  await module.make('code')
  const kmsKeyName = nameOf('code')
  expect((await deploy('sealed', kmsKeyName)).error).toBeUndefined()
  const { body } = await acme.getFunction({ params: at('sealed') })
  expect(body).toMatchObject({ kmsKeyName, serviceConfig: { environmentVariables: variables } })
  expect(await call('sealed')).toBe(`200 ${secret}: ${secret}`)
  expect(await findPlaintext()).toEqual([])
  const { downloadUrl } = (await acme.generateDownloadUrl({ params: at('sealed'), body: {} })).body
  const source = Buffer.from(await (await fetch(downloadUrl)).arrayBuffer())
  expect(source.equals(zipOf(files))).toBe(true)
  expect((await fetch(downloadUrl.replace('tenant=acme', 'tenant=other'))).status).toBe(403)
  expect((await fetch(downloadUrl.replace('00001', '00002'))).status).toBe(403)
  const uses = (await module.uses()).filter(({ operation }) => operation === 'encrypt' || operation === 'decrypt')
  expect(new Set(uses.map(({ caller }) => caller))).toEqual(new Set(['functions:shop']))
})

test('an update keeps what it does not mention, and changes the key', async () => {
  await module.make('second')
  const update = async (body: object) => acme.waitFor((await acme.updateFunction({ params: at('sealed'), body })).body)
  expect((await update({ description: 'changed' })).error).toBeUndefined()
  expect((await acme.getFunction({ params: at('sealed') })).body).toMatchObject({
    kmsKeyName: nameOf('code'),
    serviceConfig: { environmentVariables: variables },
  })
  expect((await update({ kmsKeyName: nameOf('second') })).error).toBeUndefined()
  await module.setAccess('code', [])
  expect(await call('sealed')).toBe(`200 ${secret}: ${secret}`)
  expect(await findPlaintext()).toEqual([])
})

test('without its key a function keeps running, but is neither read, changed nor started', async () => {
  await module.make('lost')
  expect((await deploy('running', nameOf('lost'))).error).toBeUndefined()
  expect(await call('running')).toMatch(/^200/)
  const { downloadUrl } = (await acme.generateDownloadUrl({ params: at('running'), body: {} })).body
  await module.remove('lost')
  expect(await call('running'), 'its instance').toMatch(/^200/)
  const refused = refusal(/The key .* cannot be used/)
  await expect(acme.getFunction({ params: at('running') })).rejects.toMatchObject(refused)
  await expect(acme.updateFunction({ params: at('running'), body: { description: 'x' } })).rejects.toMatchObject(
    refused,
  )
  expect((await fetch(downloadUrl)).status).toBe(400)
  const { functions } = (await acme.listFunctions({ params: place })).body
  expect(functions.find(({ name }) => name?.endsWith('/running'))?.serviceConfig?.environmentVariables).toEqual({})

  await module.make('lost-later')
  expect((await deploy('cold', nameOf('lost-later'))).error).toBeUndefined()
  await module.remove('lost-later')
  expect(await call('cold', '/exit')).toMatch(/^50/)
  await expect.poll(() => call('cold'), { timeout: 20_000 }).toMatch(/^500 The function cannot be started/)
  const log = async () => (await acme.listLogs({ params: at('cold') })).body.lines.map(({ text }) => text).join('\n')
  await expect.poll(log, { timeout: 20_000 }).toContain('cannot be used')
  expect((await deleted('running')).error).toBeUndefined()
})

const deleted = async (name: string) => acme.waitFor((await acme.deleteFunction({ params: at(name) })).body)

test.each([
  ['a name that is not one of a key', () => 'projects/p/keys/k', /must be the name of a key/],
  ['a missing key', () => nameOf('missing'), /cannot be used/],
  ['a key of another tenant', async () => nameOf('theirs', (await foreign()).moduleId), /cannot be used: The module/],
])('%s is refused', async (_, name, message) => {
  const kmsKeyName = await name()
  const refused = refusal(message)
  await expect(acme.generateUploadUrl({ params: place, body: { kmsKeyName } })).rejects.toMatchObject(refused)
  const buildConfig = { runtime: 'nodejs24', source: { storageSource: await upload() } }
  const body = { kmsKeyName, buildConfig }
  await expect(acme.createFunction({ params: place, query: { functionId: 'refused' }, body })).rejects.toMatchObject(
    refused,
  )
})

async function foreign() {
  const other = await openModule(app, 'foreign', 'other')
  await other.make('theirs')
  return other
}

test('a source that was uploaded without the key is refused', async () => {
  const buildConfig = { runtime: 'nodejs24', source: { storageSource: await upload() } }
  const creating = acme.createFunction({
    params: place,
    query: { functionId: 'plain-source' },
    body: { kmsKeyName: nameOf('second'), buildConfig },
  })
  await expect(creating).rejects.toMatchObject(refusal(/generateUploadUrl/))
})
