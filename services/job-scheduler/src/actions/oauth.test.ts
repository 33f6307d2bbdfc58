import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { at, callersOf, nightly, request, start } from '../testing/app.ts'
import { startReceiver } from '../testing/receiver.ts'

const oauth = {
  type: 'ActiveDirectoryOAuth' as const,
  tenant: 'contoso.example',
  clientId: 'app-1',
  audience: 'https://orders.example/',
  secret: 'of the application',
}
const granted = JSON.stringify({ access_token: 'token-1', token_type: 'Bearer', expires_in: 3600 })
const tokenPath = '/contoso.example/oauth2/v2.0/token'

async function setUp() {
  const stack = new AsyncDisposableStack()
  const issuer = stack.use(await startReceiver())
  const receiver = stack.use(await startReceiver())
  const app = stack.use(await start({}, { tokenUrl: `${issuer.url}/{tenant}/oauth2/v2.0/token` }))
  issuer.answer(tokenPath, 200, granted)
  const { collections, jobs } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: {} })
  const put = (name: string, authentication: object, uri = receiver.url) =>
    jobs.createOrUpdate({ params: at(name), body: { properties: { action: request(uri, { authentication }) } } })
  const outcomes = async (name: string) => {
    await app.jobs.drain()
    const { body } = await jobs.listJobHistory({ params: at(name) })
    return body.value.map(({ properties: { status, message } }) => `${status} ${message}`)
  }
  return { app, issuer, receiver, jobs, put, outcomes, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('a job fetches a token with its client credentials and sends it', async () => {
  await using run = await setUp()
  const creation = await run.put('orders', oauth)
  expect(creation.status).toBe(201)
  const { secret, ...shown } = oauth
  expect(creation.body.properties?.action?.request?.authentication).toEqual(shown)
  expect(await run.outcomes('orders')).toEqual([expect.stringMatching(/^Completed /)])

  expect(run.issuer.received).toHaveLength(1)
  const { path, method, headers, body } = run.issuer.received[0] ?? expect.fail()
  expect({ path, method, type: headers['content-type'] }).toEqual({
    path: tokenPath,
    method: 'POST',
    type: 'application/x-www-form-urlencoded',
  })
  expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
    grant_type: 'client_credentials',
    client_id: 'app-1',
    client_secret: secret,
    scope: 'https://orders.example//.default',
  })
  expect(run.receiver.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1'])

  const rows = await run.app.platform.database.many(sql`select to_jsonb(j) as row from job_scheduler.jobs j`)
  expect(JSON.stringify(rows)).not.toContain(secret)
})

test('without a token nothing is sent, and the history names the issuer', async () => {
  await using run = await setUp()
  run.issuer.answer(tokenPath, 401, JSON.stringify({ error: 'invalid_client', error_description: 'no' }))
  await run.put('refused', oauth)
  const host = new URL(run.issuer.url).host
  expect(await run.outcomes('refused')).toEqual([
    `Failed ${host} issued no token to the client 'app-1': HTTP 401 invalid_client.`,
  ])
  run.issuer.answer(tokenPath, 200, 'welcome')
  await run.put('odd', oauth)
  expect(await run.outcomes('odd')).toEqual([`Failed ${host} issued no token to the client 'app-1': HTTP 200.`])
  run.issuer.answer(tokenPath, 307, '', { location: run.receiver.url })
  await run.put('redirected', oauth)
  expect(await run.outcomes('redirected')).toEqual([expect.stringMatching(/^Failed .*HTTP 307/)])
  expect(run.receiver.received).toEqual([])
})

test('an omitted secret is kept, for the same server and application only', async () => {
  await using run = await setUp()
  await run.put('orders', oauth)
  const { secret: _, ...shown } = oauth
  await run.put('orders', shown)
  await run.jobs.run({ params: at('orders') })
  expect(await run.outcomes('orders')).toEqual([
    expect.stringMatching(/^Completed/),
    expect.stringMatching(/^Completed/),
  ])
  const missing = {
    status: 400,
    body: { error: { message: expect.stringMatching(/authentication\/secret is required/) } },
  }
  await expect(run.put('orders', shown, 'https://example.com/')).rejects.toMatchObject(missing)
  await expect(run.put('orders', { ...shown, clientId: 'app-2' })).rejects.toMatchObject(missing)
  await expect(run.put('orders', { ...shown, tenant: 'fabrikam.example' })).rejects.toMatchObject(missing)
})

test.each([
  ['tenant', { ...oauth, tenant: undefined }],
  ['tenant', { ...oauth, tenant: '../admin' }],
  ['clientId', { ...oauth, clientId: '' }],
  ['audience', { ...oauth, audience: undefined }],
  ['secret', { ...oauth, secret: undefined }],
])('%s is required for a token', async (field, authentication) => {
  await using run = await setUp()
  await expect(run.put('job', authentication)).rejects.toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining(`authentication/${field} is required`) } },
  })
})
