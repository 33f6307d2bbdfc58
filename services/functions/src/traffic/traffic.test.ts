import { sql } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, type FunctionsApp, publicPolicy, startFunctions, type Tenant } from '../testing/app.ts'

let app: FunctionsApp
let acme: Tenant
beforeAll(async () => {
  app = await startFunctions()
  acme = await app.tenant()
})
afterAll(() => app[Symbol.asyncDispose]())

const returning = (word: string) => ({
  'index.js': `exports.hello = (request, response) => response.send('${word}')\n`,
})

/** Deploys the first revision, and returns functions to change and to call it. */
async function opened(name: string) {
  const params = at(name)
  await acme.deploy(name, returning('1'))
  await acme.setIamPolicy({ params, body: publicPolicy })
  return {
    params,
    call: async () => {
      const { url = '' } = (await acme.getFunction({ params })).body
      return (await fetch(url)).text()
    },
    async update(word: string, serviceConfig: object = {}) {
      const buildConfig = { source: { storageSource: await acme.upload(returning(word)) } }
      const operation = await acme.waitFor(
        (await acme.updateFunction({ params, body: { buildConfig, serviceConfig } })).body,
      )
      expect(operation.error).toBeUndefined()
    },
    move: async (revision?: string) =>
      (await acme.moveTraffic({ params, body: { ...(revision && { revision }) } })).body.serviceConfig,
    revisions: async () => (await acme.listRevisions({ params })).body.revisions,
    config: async () => (await acme.getFunction({ params })).body.serviceConfig,
  }
}
const patience = { timeout: 20_000, interval: 100 }

test('a function rolls back in one call, and stays there until its traffic follows the latest revision again', async () => {
  const { call, update, move, revisions, config } = await opened('rolls-back')
  await update('2')
  await expect.poll(call, patience).toBe('2')
  const [second, first] = await revisions()
  expect(await move()).toMatchObject({ revision: first?.id, allTrafficOnLatestRevision: false })
  await expect.poll(call, patience).toBe('1')
  await app.jobs.drain()
  expect((await revisions()).map(({ isServing }) => isServing)).toEqual([false, true])

  await update('3')
  expect(await call()).toBe('1')
  expect(await move(second?.id)).toMatchObject({ revision: second?.id })
  await expect.poll(call, patience).toBe('2')
  await update('4', { allTrafficOnLatestRevision: true })
  await expect.poll(call, patience).toBe('4')
  expect(await config()).toMatchObject({ allTrafficOnLatestRevision: true })
  expect(await revisions()).toHaveLength(4)
})

test('a new revision without traffic is built and checked, and gets the traffic when it is moved', async () => {
  const { params, call, update, move, revisions, config } = await opened('canary')
  await update('2', { allTrafficOnLatestRevision: false })
  const [latest, serving] = await revisions()
  expect(await config()).toMatchObject({ allTrafficOnLatestRevision: false, revision: serving?.id })
  expect(await call()).toBe('1')
  const retired = () =>
    app.platform.database.many<{ revision: string }>(
      sql`select revision from functions.retired_revisions where revision like 'canary-%'`,
    )
  expect(await retired()).toEqual([{ revision: latest?.id }])
  expect(await move()).toMatchObject({ allTrafficOnLatestRevision: true, revision: latest?.id })
  await app.jobs.drain()
  expect(await retired()).toEqual([{ revision: serving?.id }])
  await expect.poll(call, patience).toBe('2')

  await expect(move('canary-00009-absent')).rejects.toMatchObject({ status: 404 })
  const other = await app.tenant('other')
  await expect(other.moveTraffic({ params, body: {} })).rejects.toMatchObject({ status: 404 })
  await expect(other.listRevisions({ params })).rejects.toMatchObject({ status: 404 })
  const reader = await app.tenant('acme', ['functions:listRevisions'])
  await expect(reader.moveTraffic({ params, body: {} })).rejects.toMatchObject({ status: 403 })
})

test('a function that has one revision, or is being deployed, cannot be moved', async () => {
  const { params, move } = await opened('single')
  await expect(move()).rejects.toMatchObject({ status: 400 })
  const { body } = await acme.updateFunction({ params, body: { description: 'changed' } })
  await expect(move()).rejects.toMatchObject({ status: 409 })
  await acme.waitFor(body)
})

test('the latest ten revisions are kept, and the serving one', async () => {
  const { params, update, revisions } = await opened('many-revisions')
  await update('2', { allTrafficOnLatestRevision: false })
  const { database } = app.platform
  const [, serving] = await revisions()
  await database.run(sql`
    insert into functions.revisions (tenant, id, project, location, function, number, artifact, source, desired, created_at)
    select tenant, 'copy-' || n, project, location, function, -n, artifact, source, desired, created_at
    from functions.revisions, generate_series(1, 20) as n where id = ${serving?.id}`)
  await update('3')
  const kept = await revisions()
  expect(kept.map(({ number }) => number)).toEqual([3, 2, 1, -1, -2, -3, -4, -5, -6, -7])
  expect(kept.find(({ isServing }) => isServing)?.id).toBe(serving?.id)
  expect((await acme.waitFor((await acme.deleteFunction({ params })).body)).error).toBeUndefined()
  const rows = await database.many(sql`select from functions.revisions where function = 'many-revisions'`)
  expect(rows).toEqual([])
})
