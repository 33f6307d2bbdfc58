import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Revision } from '../revision.ts'
import { accountOf, emailOf, isAccountName } from './email.ts'
import { metadataServer } from './metadata.ts'

const email = 'worker@shop.iam.gserviceaccount.com'
const issued: string[] = []
const tokens = {
  access: async (tenant: string, of: string) => (of === email ? `access ${tenant}` : undefined),
  async identity(tenant: string, _: string, audience: string) {
    issued.push(audience)
    return `identity ${tenant} ${audience}`
  },
}
const revision = {
  tenant: 'acme',
  function: 'projects/shop/locations/here/functions/f',
  serviceAccount: email,
} as unknown as Revision
const server = createServer(metadataServer(tokens, revision))
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => void server.close())

function ask(
  path: string,
  headers: Readonly<Record<string, string>> = { 'Metadata-Flavor': 'Google' },
  method = 'GET',
) {
  const { port } = server.address() as AddressInfo
  return new Promise<{ status: number; flavor: unknown; text: string }>((resolve, reject) => {
    request({ port, host: '127.0.0.1', path, method, headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, flavor: response.headers['metadata-flavor'], text }),
      )
    })
      .on('error', reject)
      .end()
  })
}

const accounts = '/computeMetadata/v1/instance/service-accounts'

test.each<[string, string | object]>([
  ['/', 'computeMetadata/\n'],
  ['/computeMetadata/v1/project/project-id', 'shop'],
  ['/computeMetadata/v1/universe/universe-domain', 'googleapis.com'],
  [`${accounts}/`, `default/\n${email}/\n`],
  [`${accounts}/default/email`, email],
  [`${accounts}/${email}/email`, email],
  [`${accounts}/default/token?scopes=a`, { access_token: 'access acme', expires_in: 3569, token_type: 'Bearer' }],
  [`${accounts}/default/identity?audience=https://a.example&format=full`, 'identity acme https://a.example'],
  [
    `${accounts}/default/?recursive=true`,
    { aliases: ['default'], email, scopes: ['https://www.googleapis.com/auth/cloud-platform'] },
  ],
])('%s', async (path, reply) => {
  const { status, flavor, text } = await ask(path)
  expect([status, flavor]).toEqual([200, 'Google'])
  expect(typeof reply === 'string' ? text : JSON.parse(text)).toEqual(reply)
})

test('requests that a page or a proxy could make are refused, and others accounts do not exist', async () => {
  const token = `${accounts}/default/token`
  expect((await ask(token, {})).status).toBe(403)
  expect((await ask(token, { 'Metadata-Flavor': 'Google', 'X-Forwarded-For': '1.2.3.4' })).status).toBe(403)
  expect((await ask(token, undefined, 'POST')).status).toBe(405)
  for (const path of [
    'other@shop.iam.gserviceaccount.com/token',
    'default/tokens',
    'default/identity',
    'defaultx/token',
  ])
    expect((await ask(`${accounts}/${path}`)).status, path).toBe(404)
  expect(issued).toEqual(['https://a.example'])
})

test('addresses of service accounts', () => {
  expect(accountOf(emailOf({ project: 'shop', name: 'worker' }))).toEqual({ project: 'shop', name: 'worker' })
  for (const text of ['', 'a@b', 'A@shop.iam.gserviceaccount.com', `${email}.evil.example`, `x/${email}`])
    expect(accountOf(text), text).toBeUndefined()
  expect([isAccountName('worker-1'), isAccountName('-a'), isAccountName('a-'), isAccountName('a'.repeat(64))]).toEqual([
    ...[true, false, false, false],
  ])
})
