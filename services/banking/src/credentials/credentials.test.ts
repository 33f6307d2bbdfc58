import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bank, type Customer, idOf, openBank, type SignedIn, signIn } from '../testing/bank.ts'

let bank: Bank
let ada: Customer
let session: SignedIn

beforeAll(async () => {
  bank = await openBank()
  ada = await bank.customer()
  session = await signIn(bank.url, ada.key)
})
afterAll(() => bank[Symbol.asyncDispose]())

test('an address that is deactivated is refused immediately, and again permitted when activated', async () => {
  const { body } = await session.api.listCredentials({ params: ada.user })
  const credential = body.Response[0]?.CredentialPasswordIp
  expect(credential).toMatchObject({ status: 'ACTIVE', token_value: null, permitted_device: { description: 'test' } })
  const params = { ...ada.user, 'credential-password-ipID': String(credential?.id) }
  const { body: listed } = await session.api.listPermittedIps({ params })
  const [own] = listed.Response.map(({ PermittedIp }) => PermittedIp)
  const item = { ...params, itemId: String(own?.id) }
  const change = (status: 'ACTIVE' | 'INACTIVE') =>
    ada.api.updatePermittedIp({ params: item, body: { ip: own?.ip as string, status } })
  await change('INACTIVE')
  await expect(session.api.listUsers({})).rejects.toMatchObject({ status: 403 })
  await expect(signIn(bank.url, ada.key), 'another device may still sign in').resolves.toBeDefined()
  await change('ACTIVE')
  await session.api.listUsers({})
  const itemId = idOf(await session.api.createPermittedIp({ params, body: { ip: '2001:db8::1', status: 'INACTIVE' } }))
  const { body: read } = await session.api.getPermittedIp({ params: { ...params, itemId } })
  expect(read.Response[0]?.PermittedIp).toEqual({ id: Number(itemId), ip: '2001:db8::1', status: 'INACTIVE' })
})

test('credentials and addresses of others are not found; addresses are checked', async () => {
  const bram = await bank.customer()
  const { body } = await ada.api.listCredentials({ params: ada.user })
  const params = { ...ada.user, 'credential-password-ipID': String(body.Response[0]?.CredentialPasswordIp.id) }
  const theirs = { ...params, userID: bram.user.userID }
  await expect(bram.api.listPermittedIps({ params: theirs })).rejects.toMatchObject({ status: 404 })
  await expect(session.api.listCredentials({ params: bram.user })).rejects.toMatchObject({ status: 404 })
  const add = (ip: string) => ada.api.createPermittedIp({ params, body: { ip } })
  await expect(add('example.com')).rejects.toMatchObject({ status: 400 })
  await add('192.0.2.1')
  await expect(add('192.0.2.1'), 'twice').rejects.toMatchObject({ status: 400 })
  const missing = ada.api.updatePermittedIp({ params: { ...params, itemId: '99' }, body: { ip: '192.0.2.2' } })
  await expect(missing).rejects.toMatchObject({ status: 404 })
})
