import { afterAll, beforeAll, expect, test } from 'vitest'
import { setSecret } from '../secrets/secrets.ts'
import { at, type FunctionsApp, hello, place, startFunctions, type Tenant } from '../testing/app.ts'

let app: FunctionsApp
let acme: Tenant
beforeAll(async () => {
  app = await startFunctions()
  acme = await app.tenant()
  await setSecret(app.platform, 'acme', { project: 'shop', name: 'password' }, 'sesame')
  for (const name of ['mine', 'theirs']) expect((await acme.deploy(name, hello)).error).toBeUndefined()
})
afterAll(() => app[Symbol.asyncDispose]())

const params = at('mine')
const patience = { timeout: 20_000, interval: 100 }
const forbidden = { status: 403 }

const isAllowed = (call: Promise<unknown>) =>
  call.then(
    () => true,
    ({ status }: { status: number }) => status !== 403,
  )

/** A credential without permissions on functions, bound to a role. */
async function bound(role: string, condition?: object): Promise<Tenant> {
  const member = await app.tenant('acme', ['example:*'])
  const id = (await app.platform.credentials.byKey(member.key))?.id
  const members = [`user:${id}`]
  const bindings = [{ role: `roles/cloudfunctions.${role}`, members, ...(condition && { condition }) }]
  await acme.setIamPolicy({ params, body: { policy: { bindings, ...(condition && { version: 3 }) } } })
  await expect.poll(async () => (await permissionsOf(member)).length, patience).toBeGreaterThan(0)
  return member
}

const permissionOf = (verb: string) => `cloudfunctions.functions.${verb}`
const tested = ['get', 'update', 'delete', 'invoke', 'getIamPolicy', 'setIamPolicy'].map(permissionOf)
const permissionsOf = async (tenant: Tenant) =>
  (await tenant.testIamPermissions({ params, body: { permissions: tested } }).catch(() => undefined))?.body
    .permissions ?? []

test.each([
  ['viewer', ['get']],
  ['invoker', ['invoke']],
  ['developer', ['get', 'update', 'delete', 'invoke']],
  ['admin', ['get', 'update', 'delete', 'invoke', 'getIamPolicy', 'setIamPolicy']],
])('a %s may do on the function what the role has, and nothing on others', async (role, verbs) => {
  const member = await bound(role)
  expect(await permissionsOf(member)).toEqual(verbs.map(permissionOf))
  expect(await isAllowed(member.getFunction({ params }))).toBe(verbs.includes('get'))
  expect(await isAllowed(member.getIamPolicy({ params }))).toBe(verbs.includes('getIamPolicy'))
  for (const call of [
    () => member.getFunction({ params: at('theirs') }),
    () => member.getFunction({ params: { ...params, project: 'other' } }),
    () => member.listFunctions({ params: place }),
    () => member.generateUploadUrl({ params: place, body: {} }),
  ])
    await expect(call()).rejects.toMatchObject(forbidden)
  if (!verbs.includes('update'))
    await expect(member.updateFunction({ params, body: { description: 'x' } })).rejects.toMatchObject(forbidden)
  if (verbs.includes('invoke')) {
    const { url = '' } = (await acme.getFunction({ params })).body
    const headers = { authorization: `Bearer ${member.key}` }
    await expect.poll(async () => (await fetch(url, { headers })).status, patience).toBe(200)
  }
})

test('a developer changes the function, but not what it reaches', async () => {
  const member = await bound('developer')
  const update = (body: object) => member.updateFunction({ params, body })
  await acme.waitFor((await update({ description: 'by a developer' })).body)
  expect((await acme.getFunction({ params })).body).toMatchObject({ description: 'by a developer', state: 'ACTIVE' })
  const secretEnvironmentVariables = [{ key: 'A', secret: 'password', version: 'latest' }]
  for (const body of [
    { serviceConfig: { secretEnvironmentVariables } },
    { serviceConfig: { secretVolumes: [{ mountPath: '/etc/keys', secret: 'password' }] } },
    { serviceConfig: { serviceAccountEmail: 'worker@shop.iam.gserviceaccount.com' } },
    { eventTrigger: { eventType: 'google.cloud.audit.log.v1.written' } },
  ])
    await expect(update(body)).rejects.toMatchObject(forbidden)
})

test('a role ends with its condition, and with its binding', async () => {
  const until = new Date(app.platform.clock.now().getTime() + 60_000).toISOString()
  const member = await bound('viewer', { expression: `request.time < timestamp("${until}")` })
  expect(await isAllowed(member.getFunction({ params }))).toBe(true)
  await app.clock.advance(61_000)
  expect(await isAllowed(member.getFunction({ params }))).toBe(false)
  const next = await bound('viewer')
  await acme.setIamPolicy({ params, body: { policy: {} } })
  await expect.poll(() => isAllowed(next.getFunction({ params })), patience).toBe(false)
})

test('a member of another tenant may call the function, and nothing else', async () => {
  const other = await app.tenant('other', ['example:*'])
  const id = (await app.platform.credentials.byKey(other.key))?.id
  const bindings = [{ role: 'roles/cloudfunctions.admin', members: [`user:${id}`] }]
  await acme.setIamPolicy({ params, body: { policy: { bindings } } })
  const { url = '' } = (await acme.getFunction({ params })).body
  const call = async () => (await fetch(url, { headers: { authorization: `Bearer ${other.key}` } })).status
  await expect.poll(call, patience).toBe(200)
  await expect(other.getFunction({ params })).rejects.toMatchObject(forbidden)
  await expect(other.setIamPolicy({ params, body: { policy: {} } })).rejects.toMatchObject(forbidden)
})
