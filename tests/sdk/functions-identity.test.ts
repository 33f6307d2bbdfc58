import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type FunctionsApp, hello, startFunctions, type Tenant } from '@icosa/functions/testing/app'
import { sql } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'

// google-auth-library, unmodified, inside a function: it finds its service account by the metadata server.
let app: FunctionsApp
let acme: Tenant
const email = 'worker@shop.iam.gserviceaccount.com'
const require = createRequire(import.meta.url)

/** Adds a package and its dependencies. */
function closure(name: string, from: string, files: Record<string, string>): void {
  const folder = folderOf(name, from)
  const target = join('node_modules', name)
  if (folder === undefined || `${target}/package.json` in files) return
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (/\.(c?js|json)$/.test(path) && !/(^|\/)node_modules\//.test(path))
      files[join(target, path)] = readFileSync(join(folder, path), 'utf8')
  const { dependencies = {} } = JSON.parse(files[`${target}/package.json`] ?? '{}') as { dependencies?: object }
  for (const dependency of Object.keys(dependencies)) closure(dependency, folder, files)
}

function folderOf(name: string, from: string): string | undefined {
  for (let at = from; at !== dirname(at); at = dirname(at)) {
    const folder = join(at, 'node_modules', name)
    try {
      readFileSync(join(folder, 'package.json'))
      return folder
    } catch {}
  }
  return undefined
}

const code = `
const { GoogleAuth } = require('google-auth-library')
exports.hello = async (req, res) => {
  try {
    const auth = new GoogleAuth({ scopes: 'https://www.googleapis.com/auth/cloud-platform' })
    if (req.path === '/project') return res.json([await auth.getProjectId(), (await auth.getCredentials()).client_email])
    if (req.path === '/list') return res.json((await auth.request({ url: 'http://platform/functions/v2/projects/shop/locations/-/functions' })).data)
    if (req.path === '/forbidden') return res.json((await auth.request({ method: 'DELETE', validateStatus: () => true,
      url: 'http://platform/functions/v2/projects/shop/locations/europe-north1/functions/callee' })).status)
    const client = await auth.getIdTokenClient(req.query.url)
    if (req.path === '/call') return res.send((await client.request({ url: req.query.url + '?name=ada' })).data)
    res.json(await client.getRequestHeaders().then((headers) => headers.get('authorization').slice(7)))
  } catch (error) { res.status(500).send(String(error.stack)) }
}`

beforeAll(async () => {
  app = await startFunctions({}, { worker: { concurrency: 16, background: true } })
  acme = await app.tenant()
  const permissions = ['functions:listFunctions', 'functions:invokeFunction']
  await app.platform.database.run(sql`
    insert into functions.service_accounts values ('acme', 'shop', 'worker', ${permissions}, now())`)
})
afterAll(() => app[Symbol.asyncDispose]())

const uriOf = (operation: { readonly response?: Readonly<Record<string, unknown>> }) => {
  expect(operation).toHaveProperty('response')
  return String(Object(operation.response?.serviceConfig).uri)
}

test('google-auth-library gets the identity and tokens of the service account, and only its permissions', async () => {
  const callee = uriOf(await acme.deploy('callee', hello))
  const files: Record<string, string> = { 'index.js': code }
  closure('google-auth-library', dirname(require.resolve('google-auth-library/package.json')), files)
  const serviceConfig = { serviceAccountEmail: email, availableMemory: '512M', availableCpu: '1' }
  const uri = uriOf(await acme.deploy('caller', files, { body: { serviceConfig } }))
  const ask = async (path: string) => {
    const response = await fetch(`${uri}${path}`, { headers: { authorization: `Bearer ${acme.key}` } })
    const text = await response.text()
    expect(response.status, text).toBe(200)
    return text
  }
  expect(JSON.parse(await ask('/project'))).toEqual(['shop', email])
  const { functions } = JSON.parse(await ask('/list'))
  expect(functions.map(({ name }: { name: string }) => name.split('/').at(-1)).sort()).toEqual(['callee', 'caller'])
  expect(await ask('/forbidden')).toBe('403')
  expect(await ask(`/call?url=${encodeURIComponent(callee)}`)).toBe('hello ada')

  const own = JSON.parse(await ask(`/token?url=${encodeURIComponent(callee)}`)) as string
  const foreign = JSON.parse(await ask('/token?url=https%3A%2F%2Felsewhere.example')) as string
  const claims = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  expect(claims(own)).toMatchObject({ sub: email, permissions: ['functions:invokeFunction'] })
  expect(claims(foreign)).toMatchObject({ sub: email, email, aud: 'https://elsewhere.example' })
  expect(claims(foreign).exp - claims(foreign).iat).toBe(3_600)
  const list = (token: string) =>
    fetch(`${app.url}/functions/v2/projects/shop/locations/-/functions`, {
      headers: { authorization: `Bearer ${token}` },
    })
  expect((await list(own)).status, 'it may only call functions').toBe(403)
  expect((await list(foreign)).status, 'it identifies to others only').toBe(401)
})

test('deploying with an account requires its permissions', async () => {
  const less = await app.tenant('acme', ['functions:createFunction', 'functions:generateUploadUrl'])
  const body = { serviceConfig: { serviceAccountEmail: email } }
  await expect(less.deploy('escalating', hello, { body })).rejects.toMatchObject({ status: 403 })
  const other = await app.tenant('other')
  await expect(other.deploy('foreign', hello, { body })).rejects.toMatchObject({ status: 404 }) // nor in the project of another
})
