import { sql } from '@icosa/kernel'
import { operating } from '@icosa/platform'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, type FunctionsApp, hello, startFunctions, type Tenant } from '../../services/functions/src/testing/app.ts'

let app: FunctionsApp
let acme: Tenant
beforeAll(async () => {
  app = await startFunctions({}, { services: [operating] })
  acme = await app.tenant()
  for (const name of ['audited', 'quiet']) expect((await acme.deploy(name, hello)).error).toBeUndefined()
})
afterAll(() => app[Symbol.asyncDispose]())

const params = at('audited')
const patience = { timeout: 20_000, interval: 100 }

interface Row {
  readonly operation: string
  readonly resource: string
  readonly status: number
}

const reads = (caller?: string) =>
  app.platform.database.many<Row>(sql`
    select operation, resource, status from platform.audit
    where tenant = 'acme' and service = 'functions' and operation in ('getFunction', 'listLogs', 'invokeFunction')
      and (${caller ?? null}::text is null or caller = ${caller ?? null}) order by number`)

const idOf = async ({ key }: Tenant) => (await app.platform.credentials.byKey(key))?.id ?? ''

test('reads and calls are logged as auditConfigs say, but for exempted members', async () => {
  const other = await app.tenant('acme')
  const [mine, exempted] = [await idOf(acme), await idOf(other)]
  const { url = '' } = (await acme.getFunction({ params })).body
  const call = async ({ key }: Tenant) => (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status
  expect(await call(acme)).toBe(200)
  const auditLogConfigs = [
    { logType: 'ADMIN_READ' as const },
    { logType: 'DATA_WRITE' as const, exemptedMembers: [`user:${exempted}`] },
  ]
  const auditConfigs = [{ service: 'cloudfunctions.googleapis.com', auditLogConfigs }]
  const { body } = await acme.setIamPolicy({ params, body: { policy: { auditConfigs } } })
  expect(body.auditConfigs).toMatchObject(auditConfigs)
  expect(await reads(), 'before').toEqual([])

  const isLogged = async () => {
    await call(acme)
    return (await reads(mine)).length > 0
  }
  await expect.poll(isLogged, patience).toBe(true)
  expect((await reads(mine))[0]).toMatchObject({
    ...{ operation: 'invokeFunction', status: 200 },
    resource: 'projects/shop/locations/europe-north1/functions/audited',
  })
  expect(await call(other)).toBe(200)
  await acme.getFunction({ params: at('quiet') })
  await acme.listLogs({ params })
  await acme.getFunction({ params })
  const operations = async () => new Set((await reads()).map(({ operation }) => operation))
  await expect.poll(operations, patience).toEqual(new Set(['invokeFunction', 'getFunction']))
  expect((await reads()).filter(({ resource }) => resource.includes('quiet'))).toEqual([])
  expect(await reads(exempted)).toEqual([])
  await other.getFunction({ params })
  const ofExempted = async () => (await reads(exempted)).map(({ operation }) => operation)
  await expect.poll(ofExempted, patience).toEqual(['getFunction'])

  await acme.setIamPolicy({ params, body: { policy: {}, updateMask: 'auditConfigs' } })
  expect((await acme.getIamPolicy({ params })).body).not.toHaveProperty('auditConfigs')
})
