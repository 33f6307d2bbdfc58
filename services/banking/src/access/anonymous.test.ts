import { client } from '@icosa/client'
import { expect, test } from 'vitest'
import { all, install, newKeys, openBank, signing } from '../testing/bank.ts'

test('an installation token is charged to its IP address, never to the platform or a tenant', async () => {
  await using bank = await openBank()
  const { database } = bank.app.platform
  const fairnessKeys: string[] = []
  const of = database.of
  Object.assign(database, { of: (fairnessKey: string) => fairnessKeys.push(fairnessKey) && of(fairnessKey) })
  const keys = newKeys()
  const { token } = await install(bank.url, keys)
  const installed = client(all, { baseUrl: bank.url, fetch: signing(token, keys) })
  const body = { description: 'test', secret: 'sandbox_wrong' }
  await expect(installed.createDeviceServer({ body })).rejects.toMatchObject({ status: 400 })
  await fetch(`${bank.url}/v1/sandbox-user-person`, { method: 'POST' })
  expect(new Set(fairnessKeys)).toEqual(new Set(['address 127.0.0.1']))
})

test('requests without a session are rate limited per address, however many tokens it has', async () => {
  await using bank = await openBank({ anonymousPerMinute: 3 })
  const keys = newKeys()
  const { token } = await install(bank.url, keys)
  const installed = client(all, { baseUrl: bank.url, fetch: signing(token, keys) })
  const created = await fetch(`${bank.url}/v1/sandbox-user-person`, { method: 'POST' })
  expect(created.status).toBe(200)
  await expect(installed.listInstallations({})).resolves.toMatchObject({ status: 200 })
  const refused = await fetch(`${bank.url}/v1/sandbox-user-person`, { method: 'POST' })
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  await expect(install(bank.url, keys)).rejects.toMatchObject({ status: 429 })
  await expect(installed.listInstallations({})).rejects.toMatchObject({ status: 429 })
  expect((await bank.api.listUsers({})).body.Response, 'requests with a key are not limited').toHaveLength(1)
})
