import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { sql } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, callersOf, nightly, request, start } from '../testing/app.ts'
import { makeCertificate, startCertifiedReceiver, type TestCertificate } from '../testing/certified-receiver.ts'

const trusted = getCACertificates('default')
let server: TestCertificate
let client: TestCertificate

beforeAll(async () => {
  server = await makeCertificate('receiver')
  client = await makeCertificate('nightly jobs')
  setDefaultCACertificates([...trusted, server.pem])
})

afterAll(() => setDefaultCACertificates(trusted))

async function setUp(app: Awaited<ReturnType<typeof start>>) {
  const { collections, jobs } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: {} })
  const put = (name: string, action: ReturnType<typeof request>) =>
    jobs.createOrUpdate({ params: at(name), body: { properties: { action, startTime: '2020-01-01' } } })
  const outcomes = async (name: string) => {
    await app.jobs.drain()
    const { body } = await jobs.listJobHistory({ params: at(name) })
    return body.value.map(({ properties }) => properties.status)
  }
  return { jobs, put, outcomes }
}

const certificateWith = (authentication: object) => ({ ...authentication, type: 'ClientCertificate' as const })
const credentialsOf = ({ pfx, password }: TestCertificate) => certificateWith({ pfx, password })
const thumbprint = ({ x509 }: TestCertificate) => x509.fingerprint.replaceAll(':', '')

test('a job authenticates with its certificate to a server that requires one', async () => {
  await using app = await start()
  await using receiver = await startCertifiedReceiver(server, client.pem)
  const { jobs, put, outcomes } = await setUp(app)
  await put('anonymous', request(receiver.url))
  expect(await outcomes('anonymous')).toEqual(['Failed'])

  const creation = await put('certified', request(receiver.url, { authentication: credentialsOf(client) }))
  expect(creation.status).toBe(201)
  expect(await outcomes('certified')).toEqual(['Completed'])
  expect(receiver.senders).toEqual([thumbprint(client)])

  const { body } = await jobs.get({ params: at('certified') })
  expect(body.properties?.action?.request?.authentication).toEqual({
    type: 'ClientCertificate',
    certificateThumbprint: thumbprint(client),
    certificateSubjectName: 'CN=nightly jobs, O=Icosa, C=DE',
    certificateExpirationDate: client.x509.validToDate.toISOString(),
  })
  const rows = await app.platform.database.many<object>(sql`select *, secrets::text as s from job_scheduler.jobs`)
  for (const text of [JSON.stringify(body), JSON.stringify(creation.body), JSON.stringify(rows)]) {
    expect(text).not.toContain(client.password)
    expect(text).not.toContain(client.pfx.slice(100, 140))
  }
})

test('an error action has its own certificate', async () => {
  await using app = await start()
  await using receiver = await startCertifiedReceiver(server, client.pem)
  const { put, outcomes } = await setUp(app)
  const errorAction = request(receiver.url, { authentication: credentialsOf(client) })
  await put('twice', { ...request(receiver.url, { authentication: credentialsOf(server) }), ...{ errorAction } })
  expect(await outcomes('twice')).toEqual(['Completed', 'Failed'])
  expect(receiver.senders).toEqual([thumbprint(client)])
})

test('an omitted certificate is kept, for the same server only', async () => {
  await using app = await start()
  await using receiver = await startCertifiedReceiver(server, client.pem)
  const { jobs, put, outcomes } = await setUp(app)
  await put('certified', request(receiver.url, { authentication: credentialsOf(client) }))
  // As clients do: read a job, change it and write it back.
  const { body } = await jobs.get({ params: at('certified') })
  await jobs.createOrUpdate({ params: at('certified'), body: { properties: body.properties ?? {} } })
  const patched = await jobs.patch({
    params: at('certified'),
    body: { properties: { action: { request: { method: 'PUT' } } } },
  })
  expect(patched.body.properties?.action).toEqual({
    ...body.properties?.action,
    request: { ...body.properties?.action?.request, method: 'PUT' },
  })
  await jobs.run({ params: at('certified') })
  expect(await outcomes('certified')).toEqual(['Completed', 'Completed'])

  const elsewhere = { action: { request: { uri: 'https://example.com/' } } }
  await expect(jobs.patch({ params: at('certified'), body: { properties: elsewhere } })).rejects.toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(/authentication\/pfx is required/) } },
  })
  const another = request(receiver.url, {
    authentication: certificateWith({ certificateThumbprint: thumbprint(server) }),
  })
  await expect(put('certified', another)).rejects.toMatchObject({ status: 400 })
})

test('refuses unusable certificates with a reason', async () => {
  await using app = await start()
  const { put } = await setUp(app)
  const slow = await makeCertificate('slow', ['-iter', '1000000'])
  const old = await makeCertificate('old', ['-legacy', '-certpbe', 'PBE-SHA1-RC2-40'])
  const keyless = await makeCertificate('keyless', ['-nokeys'])
  const refusal = (authentication: object, uri = 'https://example.com') =>
    put('job', request(uri, { authentication: certificateWith(authentication) })).then(
      () => 'accepted',
      ({ status, body }) => `${status} ${body.error.message}`,
    )
  const { pfx, password } = client
  expect(await refusal({ pfx, password: 'open barley' })).toMatch(/^400 .*pfx cannot be opened .*check its password/)
  expect(await refusal({ pfx })).toMatch(/^400 .*check its password/)
  expect(await refusal({ pfx: 'AAAA', password })).toMatch(/^400 .*PKCS#12/)
  expect(await refusal({ pfx: 'no base64!', password })).toMatch(/^400 .*in base64/)
  expect(await refusal({ pfx: keyless.pfx, password })).toMatch(/^400 .*and its key/)
  expect(await refusal({ pfx: old.pfx, password })).toMatch(/^400 .*in modern ciphers/)
  expect(await refusal({ pfx: slow.pfx, password })).toMatch(/^400 .*fewer iterations/)
  expect(await refusal({ pfx: endless(pfx), password })).toMatch(/^400 .*fewer iterations/)
  expect(await refusal({})).toMatch(/^400 .*pfx is required/)
  expect(await refusal({ password })).toMatch(/^400 .*belongs to a pfx/)
  expect(await refusal({ pfx, password }, 'http://example.com')).toMatch(/^400 .*needs TLS/)
})

/** Changes the iteration count of the MAC, at the end of the file, from 2,048 to 2,147,483,647. */
function endless(pfx: string): string {
  const bytes = Buffer.from(pfx, 'base64')
  expect(bytes.subarray(-4).toString('hex'), 'the integer 2048').toBe('02020800')
  const patched = Buffer.concat([bytes.subarray(0, -4), Buffer.from('02047fffffff', 'hex')])
  const macAt = bytes.length - 0x43
  expect([bytes.subarray(macAt, macAt + 2).toString('hex'), bytes.readUInt16BE(0)]).toEqual(['3041', 0x3082])
  patched.writeUInt8(0x43, macAt + 1) // length of the enclosing sequence
  patched.writeUInt16BE(bytes.readUInt16BE(2) + 2, 2) // and of the outermost one
  return patched.toString('base64')
}
