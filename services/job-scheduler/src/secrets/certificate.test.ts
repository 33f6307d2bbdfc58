import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { sql } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, callersOf, nightly, request, start } from '../testing/app.ts'
import { makeCertificate, startCertifiedReceiver, type TestCertificate } from '../testing/certified-receiver.ts'

const trusted = getCACertificates('default')
let own: TestCertificate
let client: TestCertificate

beforeAll(async () => {
  own = await makeCertificate('receiver')
  client = await makeCertificate('nightly jobs')
  setDefaultCACertificates([...trusted, own.pem])
})

afterAll(() => setDefaultCACertificates(trusted))

async function ready(app: Awaited<ReturnType<typeof start>>) {
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

const shown = (authentication: object) => ({ ...authentication, type: 'ClientCertificate' as const })
const given = ({ pfx, password }: TestCertificate) => shown({ pfx, password })
const thumbprint = ({ x509 }: TestCertificate) => x509.fingerprint.replaceAll(':', '')

test('a job shows its certificate to a server that lets in nobody else', async () => {
  await using app = await start()
  await using receiver = await startCertifiedReceiver(own, client.pem)
  const { jobs, put, outcomes } = await ready(app)
  await put('stranger', request(receiver.url))
  expect(await outcomes('stranger')).toEqual(['Failed'])

  const made = await put('known', request(receiver.url, { authentication: given(client) }))
  expect(made.status).toBe(201)
  expect(await outcomes('known')).toEqual(['Completed'])
  expect(receiver.senders).toEqual([thumbprint(client)])

  const { body } = await jobs.get({ params: at('known') })
  expect(body.properties?.action?.request?.authentication).toEqual({
    type: 'ClientCertificate',
    certificateThumbprint: thumbprint(client),
    certificateSubjectName: 'CN=nightly jobs, O=Icosa, C=DE',
    certificateExpirationDate: client.x509.validToDate.toISOString(),
  })
  const rows = await app.platform.database.many<object>(sql`select *, secrets::text as s from job_scheduler.jobs`)
  for (const text of [JSON.stringify(body), JSON.stringify(made.body), JSON.stringify(rows)]) {
    expect(text).not.toContain(client.password)
    expect(text).not.toContain(client.pfx.slice(100, 140))
  }
})

test('an error action has a certificate of its own', async () => {
  await using app = await start()
  await using receiver = await startCertifiedReceiver(own, client.pem)
  const { put, outcomes } = await ready(app)
  const errorAction = request(receiver.url, { authentication: given(client) })
  await put('twice', { ...request(receiver.url, { authentication: given(own) }), ...{ errorAction } })
  expect(await outcomes('twice')).toEqual(['Completed', 'Failed'])
  expect(receiver.senders).toEqual([thumbprint(client)])
})

test('a certificate left out of a write stays, for its server only', async () => {
  await using app = await start()
  await using receiver = await startCertifiedReceiver(own, client.pem)
  const { jobs, put, outcomes } = await ready(app)
  await put('known', request(receiver.url, { authentication: given(client) }))
  // As a client does that reads a job, changes it and writes it back.
  const { body } = await jobs.get({ params: at('known') })
  await jobs.createOrUpdate({ params: at('known'), body: { properties: body.properties ?? {} } })
  const patched = await jobs.patch({
    params: at('known'),
    body: { properties: { action: { request: { method: 'PUT' } } } },
  })
  expect(patched.body.properties?.action).toEqual({
    ...body.properties?.action,
    request: { ...body.properties?.action?.request, method: 'PUT' },
  })
  await jobs.run({ params: at('known') })
  expect(await outcomes('known')).toEqual(['Completed', 'Completed'])

  const elsewhere = { action: { request: { uri: 'https://example.com/' } } }
  await expect(jobs.patch({ params: at('known'), body: { properties: elsewhere } })).rejects.toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(/authentication\/pfx is required/) } },
  })
  const another = request(receiver.url, { authentication: shown({ certificateThumbprint: thumbprint(own) }) })
  await expect(put('known', another)).rejects.toMatchObject({ status: 400 })
})

test('a certificate that could never be shown is refused with what is wrong', async () => {
  await using app = await start()
  const { put } = await ready(app)
  const slow = await makeCertificate('slow', ['-iter', '1000000'])
  const old = await makeCertificate('old', ['-legacy', '-certpbe', 'PBE-SHA1-RC2-40'])
  const keyless = await makeCertificate('keyless', ['-nokeys'])
  const refusal = (authentication: object, uri = 'https://example.com') =>
    put('job', request(uri, { authentication: shown(authentication) })).then(
      () => 'taken',
      ({ status, body }) => `${status} ${body.error.message}`,
    )
  const { pfx, password } = client
  expect(await refusal({ pfx, password: 'open barley' })).toMatch(/^400 .*pfx cannot be opened .*check its password/)
  expect(await refusal({ pfx })).toMatch(/^400 .*check its password/)
  expect(await refusal({ pfx: 'AAAA', password })).toMatch(/^400 .*PKCS#12/)
  expect(await refusal({ pfx: 'no base64!', password })).toMatch(/^400 .*in base64/)
  expect(await refusal({ pfx: keyless.pfx, password })).toMatch(/^400 .*and its key/)
  expect(await refusal({ pfx: old.pfx, password })).toMatch(/^400 .*in ciphers of today/)
  expect(await refusal({ pfx: slow.pfx, password })).toMatch(/^400 .*fewer iterations/)
  expect(await refusal({ pfx: endless(pfx), password })).toMatch(/^400 .*fewer iterations/)
  expect(await refusal({})).toMatch(/^400 .*pfx is required/)
  expect(await refusal({ password })).toMatch(/^400 .*belongs to a pfx/)
  expect(await refusal({ pfx, password }, 'http://example.com')).toMatch(/^400 .*needs TLS/)
})

/** The same file, saying that its password is hashed 2,147,483,647 times and not 2,048: the number at its very end. */
function endless(pfx: string): string {
  const bytes = Buffer.from(pfx, 'base64')
  expect(bytes.subarray(-4).toString('hex'), 'the integer 2048').toBe('02020800')
  const longer = Buffer.concat([bytes.subarray(0, -4), Buffer.from('02047fffffff', 'hex')])
  const macAt = bytes.length - 0x43
  expect([bytes.subarray(macAt, macAt + 2).toString('hex'), bytes.readUInt16BE(0)]).toEqual(['3041', 0x3082])
  longer.writeUInt8(0x43, macAt + 1) // the length of the sequence around the number
  longer.writeUInt16BE(bytes.readUInt16BE(2) + 2, 2) // and of the one around everything
  return longer.toString('base64')
}
