import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, type FunctionsApp, hello, startFunctions, type Tenant } from '../testing/app.ts'

let app: FunctionsApp
let acme: Tenant
beforeAll(async () => {
  const workerPools = { large: { seconds: 120, concurrency: 1 }, none: { seconds: 1, concurrency: 1 } }
  app = await startFunctions({ workerPools, buildMs: 1 })
  acme = await app.tenant()
})
afterAll(() => app[Symbol.asyncDispose]())

const deploy = async (name: string, workerPool?: string) => {
  const buildConfig = {
    ...{ runtime: 'nodejs24', entryPoint: 'hello', source: { storageSource: await acme.upload(hello) } },
    ...(workerPool && { workerPool }),
  }
  return acme.deploy(name, hello, { body: { buildConfig } })
}

test('a build has the time of its worker pool', async () => {
  expect((await deploy('default')).error?.message).toContain('longer than 0.001 s')
  const workerPool = 'projects/shop/locations/here/workerPools/large'
  expect((await deploy('pooled', workerPool)).error).toBeUndefined()
  expect((await acme.getFunction({ params: at('pooled') })).body.buildConfig).toMatchObject({ workerPool })
  await expect(deploy('missing', 'small')).rejects.toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining("'small' is not a worker pool: choose one of large, none") } },
  })
})

test('builds of a pool wait for each other', async () => {
  const results = await Promise.all(['one', 'two', 'three'].map((name) => deploy(`${name}-waits`, 'large')))
  expect(results.map(({ error }) => error)).toEqual([undefined, undefined, undefined])
})
