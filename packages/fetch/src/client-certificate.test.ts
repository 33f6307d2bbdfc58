import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guardedFetch } from './fetch.ts'
import { type Certificates, certificates } from './testing/certificates.ts'
import { certifiedSite } from './testing/certified-site.ts'

const fetch = guardedFetch({ allow: ['127.0.0.2/31'] })
const trusted = getCACertificates('default')
let made: Certificates

beforeAll(async () => {
  made = await certificates(['127.0.0.2', '127.0.0.3'])
  setDefaultCACertificates([...trusted, made.authority])
})

afterAll(async () => {
  setDefaultCACertificates(trusted)
  await fetch.close()
})

const clientCertificate = () => ({ pfx: made.pfx, passphrase: made.passphrase })

test('a server that wants a certificate lets in who shows one, and nobody after them', async () => {
  await using site = await certifiedSite('127.0.0.2', made, { isRequired: true })
  const { status, body } = await fetch(site.origin, { clientCertificate: clientCertificate() })
  expect([status, new TextDecoder().decode(body)]).toEqual([200, 'come in'])
  await expect(fetch(site.origin)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(site.clients).toEqual(['client'])
})

test('the certificate goes along with a redirect on the same origin', async () => {
  await using site = await certifiedSite('127.0.0.2', made, { isRequired: true })
  await fetch(`${site.origin}/?to=/`, { clientCertificate: clientCertificate() })
  await fetch(`${site.origin}/?to=/`, { method: 'POST', clientCertificate: clientCertificate() })
  expect(site.clients).toEqual(['client', 'client', 'client', 'client'])
})

test('another origin does not see it, nor does the first when a redirect leads back', async () => {
  await using site = await certifiedSite('127.0.0.2', made, { isRequired: false })
  await using elsewhere = await certifiedSite('127.0.0.3', made, { isRequired: false })
  const back = `${elsewhere.origin}/?to=${encodeURIComponent(site.origin)}`
  await fetch(`${site.origin}/?to=${encodeURIComponent(back)}`, { clientCertificate: clientCertificate() })
  expect(elsewhere.clients).toEqual([undefined])
  expect(site.clients).toEqual(['client', undefined])
})

test('a certificate that cannot be opened, or shown, is invalid and nothing is sent', async () => {
  await using site = await certifiedSite('127.0.0.2', made, { isRequired: false })
  for (const broken of [{ passphrase: 'open barley' }, { pfx: Buffer.from('no PKCS#12') }, { pfx: Buffer.alloc(0) }]) {
    await expect(
      fetch(site.origin, { clientCertificate: { ...clientCertificate(), ...broken } }),
    ).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringMatching(/cannot be opened: check its passphrase/),
    })
  }
  const plain = site.origin.replace('https:', 'http:')
  await expect(fetch(plain, { clientCertificate: clientCertificate() })).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringMatching(/write https/),
  })
  expect(site.clients).toEqual([])
})
