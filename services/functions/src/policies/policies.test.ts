import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, type FunctionsApp, place, startFunctions, type Tenant } from '../testing/app.ts'

let app: FunctionsApp
let acme: Tenant
beforeAll(async () => {
  app = await startFunctions()
  acme = await app.tenant()
  const { storageSource } = (await acme.generateUploadUrl({ params: place, body: {} })).body
  const buildConfig = { runtime: 'nodejs24', source: { storageSource } }
  for (const functionId of ['first', 'masked'])
    await acme.createFunction({ params: place, query: { functionId }, body: { buildConfig } })
})
afterAll(() => app[Symbol.asyncDispose]())

const params = at('first')
const invoker = (...members: string[]) => [{ role: 'roles/run.invoker', members }]

test('a policy is only replaced with its current etag', async () => {
  const { body: initial } = await acme.getIamPolicy({ params })
  expect(initial).toEqual({ version: 1, etag: expect.any(String) })
  const policy = { bindings: invoker('allUsers', 'user:ada'), etag: initial.etag as string, version: 3 }
  const { body: first } = await acme.setIamPolicy({ params, body: { policy } })
  expect(first).toMatchObject({ version: 3, bindings: invoker('allUsers', 'user:ada') })
  expect(first.etag).not.toBe(initial.etag)
  for (const version of [0, 1, 3]) {
    const query = { 'options.requestedPolicyVersion': version }
    expect((await acme.getIamPolicy({ params, query })).body).toEqual(first)
    const body = { options: { requestedPolicyVersion: version } }
    expect((await acme.readIamPolicy({ params, body })).body).toEqual(first)
  }
  await expect(acme.setIamPolicy({ params, body: { policy } })).rejects.toMatchObject({
    status: 409,
    body: { error: { status: 'ABORTED' } },
  })
  const { body: cleared } = await acme.setIamPolicy({ params, body: { policy: {} } }) // unconditionally, without an etag
  expect(cleared).not.toHaveProperty('bindings')
})

test('updateMask selects fields of a policy', async () => {
  const masked = at('masked')
  const policy = { bindings: invoker('allUsers') }
  const set = (updateMask: string) => acme.setIamPolicy({ params: masked, body: { policy, updateMask } })
  expect((await set('etag')).body).not.toHaveProperty('bindings')
  expect((await set('bindings,etag')).body).toMatchObject(policy)
  await expect(set('roles')).rejects.toMatchObject({ status: 400 })
})

test.each<[object, number, string]>([
  [{ version: 2 }, 400, 'version'],
  [{ bindings: [{ role: 'roles/owner', members: ['allUsers'] }] }, 400, 'roles/owner'],
  [{ bindings: [{ role: 'constructor', members: ['user:ada'] }] }, 400, 'constructor'],
  [{ bindings: [{ role: 'roles/cloudfunctions.viewer', members: ['allUsers'] }] }, 400, 'only be bound to'],
  [{ bindings: [{ ...invoker('allUsers')[0], condition: { expression: 'x' } }], version: 3 }, 400, 'condition'],
  [{ bindings: invoker('group:staff@example.com') }, 400, 'group:staff@example.com'],
  [{ bindings: invoker('ada') }, 400, 'ada'],
  [{ auditConfigs: [{ service: 'storage.googleapis.com' }] }, 400, 'allServices'],
  [{ auditConfigs: [{ service: 'allServices', auditLogConfigs: [{}] }] }, 400, 'logType'],
  [
    {
      auditConfigs: [
        { service: 'allServices', auditLogConfigs: [{ logType: 'DATA_READ', exemptedMembers: ['allUsers'] }] },
      ],
    },
    400,
    'allUsers',
  ],
])('invalid and unsupported policies are refused by name: %j', async (policy, status, name) => {
  await expect(acme.setIamPolicy({ params, body: { policy } })).rejects.toMatchObject({
    status,
    body: { error: { message: expect.stringContaining(name) } },
  })
})

test('a caller can test its permissions', async () => {
  const permissions = [
    'cloudfunctions.functions.get',
    'cloudfunctions.functions.delete',
    'run.routes.invoke',
    'not.existing',
  ]
  const reader = await app.tenant('acme', ['functions:get*', 'functions:test*'])
  expect((await reader.testIamPermissions({ params, body: { permissions } })).body).toEqual({
    permissions: ['cloudfunctions.functions.get'],
  })
  expect((await acme.testIamPermissions({ params, body: { permissions } })).body).toEqual({
    permissions: permissions.slice(0, 3),
  })
})
