import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, type FunctionsApp, hello, startFunctions, type Tenant } from '../testing/app.ts'

let app: FunctionsApp
let acme: Tenant
beforeAll(async () => {
  app = await startFunctions({}, { trustedProxies: 1 })
  acme = await app.tenant()
})
afterAll(() => app[Symbol.asyncDispose]())

const callFrom = async (name: string, headers: Record<string, string> = {}) => {
  const { url = '' } = (await acme.getFunction({ params: at(name) })).body
  return (await fetch(url, { headers })).status
}
const patience = { timeout: 20_000, interval: 100 }

test('a binding with a condition counts while the condition holds', async () => {
  await acme.deploy('conditional', hello)
  const params = at('conditional')
  const until = new Date(app.platform.clock.now().getTime() + 60_000).toISOString()
  const expression = `request.time < timestamp("${until}") && resource.name.endsWith("/functions/conditional")`
  const condition = { expression, title: 'for a minute' }
  const bindings = [
    { role: 'roles/run.invoker', members: ['allUsers'], condition },
    { role: 'roles/run.invoker', members: ['user:ada'] },
  ]
  const first = acme.setIamPolicy({ params, body: { policy: { bindings } } })
  await expect(first).rejects.toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('version 3') } },
  })
  const { body } = await acme.setIamPolicy({ params, body: { policy: { bindings, version: 3 } } })
  expect(body).toMatchObject({ version: 3, bindings })
  await expect.poll(() => callFrom('conditional'), patience).toBe(200)
  await app.clock.advance(61_000)
  await expect.poll(() => callFrom('conditional'), patience).toBe(401)
  const odd = [{ role: 'roles/run.invoker', members: ['allUsers'], condition: { expression: 'request.host == "a"' } }]
  await expect(acme.setIamPolicy({ params, body: { policy: { bindings: odd, version: 3 } } })).rejects.toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('at request.host') } },
  })
})

test('ALLOW_INTERNAL_AND_GCLB admits requests through the trusted proxy, and no direct ones', async () => {
  const ingressSettings = 'ALLOW_INTERNAL_AND_GCLB'
  await acme.deploy('balanced', hello, { body: { serviceConfig: { ingressSettings } } })
  const bindings = [{ role: 'roles/run.invoker', members: ['allUsers'] }]
  await acme.setIamPolicy({ params: at('balanced'), body: { policy: { bindings } } })
  expect((await acme.getFunction({ params: at('balanced') })).body.serviceConfig).toMatchObject({ ingressSettings })
  await expect.poll(() => callFrom('balanced', { 'x-forwarded-for': '203.0.113.7' }), patience).toBe(200)
  expect(await callFrom('balanced')).toBe(403)

  await using direct = await startFunctions() // trusts no proxy
  const other = await direct.tenant()
  await other.deploy('balanced', hello, { body: { serviceConfig: { ingressSettings } } })
  await other.setIamPolicy({ params: at('balanced'), body: { policy: { bindings } } })
  const { url = '' } = (await other.getFunction({ params: at('balanced') })).body
  const responses = ['203.0.113.7', '203.0.113.7, 127.0.0.1'].map((from) =>
    fetch(url, { headers: { 'x-forwarded-for': from } }),
  )
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([403, 403])
})
