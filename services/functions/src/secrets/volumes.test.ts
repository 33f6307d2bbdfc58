import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSite, type TestSite } from '../instances/testing/site.ts'
import { at, type FunctionsApp, startFunctions, type Tenant } from '../testing/app.ts'
import { setSecret } from './secrets.ts'

const code = `const fs = require('node:fs')
exports.hello = exports.main = (req, res) => {
  const attempt = (work) => { try { return work() } catch (error) { return error.code } }
  if (attempt(() => fs.writeFileSync('/etc/keys/new', 'x')) === undefined) return res.send('written')
  res.json(attempt(() => Object.fromEntries(fs.readdirSync('/etc/keys').map((name) => [name, fs.readFileSync('/etc/keys/' + name, 'utf8')]))))
}`
let app: FunctionsApp
let acme: Tenant
let site: TestSite
beforeAll(async () => {
  app = await startFunctions()
  acme = await app.tenant()
  site = await openSite('runsc')
})
afterAll(async () => {
  await site.close()
  await app[Symbol.asyncDispose]()
})

test('secrets are files: the latest, or chosen versions; a missing one is named', async () => {
  const name = { project: 'shop', name: 'key' }
  for (const value of ['first', 'second']) await setSecret(app.platform, 'acme', name, value)
  const volume = (versions?: readonly object[]) => ({
    serviceConfig: { secretVolumes: [{ mountPath: '/etc/keys', secret: 'key', ...(versions && { versions }) }] },
  })
  const read = async (function_: string) => {
    const { body } = await acme.getFunction({ params: at(function_) })
    expect(body.serviceConfig?.secretVolumes).toHaveLength(1)
    const headers = { authorization: `Bearer ${acme.key}` }
    return (await fetch(body.serviceConfig?.uri ?? '', { headers })).json()
  }
  expect((await acme.deploy('latest', { 'index.js': code }, { body: volume() })).error).toBeUndefined()
  expect(await read('latest')).toEqual({ key: 'second' })
  const versions = [{ version: '1', path: 'old' }, { version: 'latest' }]
  expect((await acme.deploy('versions', { 'index.js': code }, { body: volume(versions) })).error).toBeUndefined()
  expect(await read('versions')).toEqual({ old: 'first', key: 'second' })
  const missing = await acme.deploy('missing', { 'index.js': code }, { body: volume([{ version: '9' }]) })
  expect(missing.error?.message).toContain("no secret 'key' in shop of version 9")
})

test('in gVisor as well, and only for the function itself', async () => {
  const node = await site.node()
  const volumes = { '/etc/keys': { key: 'value' } }
  expect((await node.ask(site.revision(code, { volumes }))).body).toBe('{"key":"value"}')
  expect((await node.ask(site.revision(code))).body).toBe('"ENOENT"')
})
