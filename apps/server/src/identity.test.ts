import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { acceptedForMs } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dev, startDev } from './testing/dev.ts'

// Identity commands of an operator, next to a running `icosa dev`.
let dev: Dev
let url = ''
const icosa = (...args: string[]) => dev.icosa(...args)
const clientsWith = (token: string) =>
  fetch(`${url}/identity-connect/client`, { headers: { authorization: `Bearer ${token}` } })

beforeAll(async () => {
  dev = await startDev('--services', 'identity-connect')
  url = dev.ready.url
})
afterAll(() => dev[Symbol.asyncDispose]())

test('a token for the shell grants its permissions until it is revoked', async () => {
  const token = await icosa('token', '--tenant', 'dev', '--permissions', 'identity-connect:client', '--expires', '5m')
  expect((await clientsWith(token)).status).toBe(200)
  const narrow = await icosa('token', '--tenant', 'dev', '--permissions', 'backup:*', '--name', 'narrow')
  expect((await clientsWith(narrow)).status).toBe(403)

  await icosa('token', 'revoke', 'shell-dev')
  expect(await acceptedForMs(async () => (await clientsWith(token)).status === 200)).toBeLessThan(1_000)
})

test('the key of development mode is a machine client', async () => {
  const answer = await fetch(`${url}/dev/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'key_dev',
      client_secret: 'icosa-dev-key',
      scope: 'any/.default',
    }),
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  expect((await clientsWith(access_token)).status).toBe(200)
})

test('signing keys are listed and rotated; tokens of old keys stay valid unless the keys were stolen', async () => {
  const token = await icosa('token', '--tenant', 'dev', '--name', 'before')
  const before = JSON.parse(await icosa('signing-keys', 'list', '--json'))
  await icosa('signing-keys', 'rotate', '--now')
  const after: { kid: string; alg: string; state: string }[] = JSON.parse(await icosa('signing-keys', 'list', '--json'))
  expect(before).toHaveLength(2)
  expect(after.map(({ alg, state }) => `${alg} ${state}`).sort()).toEqual([
    'ES256 retiring',
    'ES256 signing',
    'RS256 retiring',
    'RS256 signing',
  ])
  expect((await clientsWith(token)).status).toBe(200)

  await icosa('signing-keys', 'rotate', '--stolen')
  expect(await acceptedForMs(async () => (await clientsWith(token)).status === 200)).toBeLessThan(1_500)
})

test('an invitation with an unknown permission is refused, with the closest known one', async () => {
  const invite = ['people', 'invite', 'bob@example.com', '--tenant', 'acme', '--permissions']
  expect(await dev.refused([...invite, 'identity-connect:*,braile-translation:*'])).toContain('braille-translation:*')
  expect(await dev.refused([...invite, 'identity-connect:*,'])).toContain("'' is not a permission")
  expect(await icosa('people', 'list')).not.toContain('bob@example.com')
})

test('an invitation is sent by mail, and its link leads to a sign-up page', async () => {
  await icosa(
    'people',
    'invite',
    'ada@example.com',
    '--tenant',
    'acme',
    '--permissions',
    'identity-connect:*, platform:*',
  )
  const mails = join(dev.folder, 'mail')
  const written = async () => (await readdir(mails).catch(() => [])).filter((name) => name.endsWith('.eml'))
  await expect.poll(async () => (await written()).length).toBe(1)
  const [name = ''] = await written()
  const mail = (await readFile(join(mails, name), 'utf8')).replaceAll('=\r\n', '').replaceAll('=3D', '=')
  const link = /http:\S+\/identity-connect\/invitation\?token=[\w-]+/.exec(mail)?.[0] ?? 'no link'
  expect(link.startsWith(`${url}/`), 'the command knows the URL of the node').toBe(true)
  const opened = await fetch(link, { redirect: 'manual' })
  expect(opened.headers.get('location')).toMatch(/^\/identity-connect\/account\?invitation=/)
  expect(await icosa('people', 'list')).toMatch(/^id\s+e-mail[\s\S]*ada@example.com\s+invited, until/)
})

test('an application is approved for the platform, listed, and withdrawn', async () => {
  const headers = { authorization: 'Bearer icosa-dev-key', 'content-type': 'application/json' }
  const redirect_uri = 'http://localhost:3000/callback'
  const body = JSON.stringify({ client_name: 'Notes \u001b[2J', redirect_uris: [redirect_uri] })
  const created = await fetch(`${url}/identity-connect/client`, { method: 'POST', headers, body })
  const { client_id } = (await created.json()) as { client_id: string }
  const query = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'openid platform',
    state: 'st',
  })
  const ask = async () => {
    const answer = await fetch(`${url}/identity-connect/authorize?${query}`, { redirect: 'manual' })
    return new URL(answer.headers.get('location') ?? '', url)
  }
  expect((await ask()).searchParams.get('error')).toBe('invalid_scope')

  await icosa('clients', 'approve', client_id, '--tenant', 'dev')
  expect((await ask()).pathname).toMatch(/^\/identity-connect\/interaction\//)
  expect(await icosa('clients', 'list')).toMatch(new RegExp(`${client_id} +Notes \\\\u001b\\[2J +dev +dev +2`))
  await icosa('clients', 'withdraw', client_id)
  expect((await ask()).searchParams.get('error')).toBe('invalid_scope')
  await expect(icosa('clients', 'approve', client_id)).rejects.toThrow('--tenant')
  await expect(icosa('clients', 'approve', 'app_nobody', '--everybody')).rejects.toThrow('app_nobody')
})
