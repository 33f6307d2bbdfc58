import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guardedFetch } from './fetch.ts'
import { type Certificates, certificates } from './testing/certificates.ts'
import { certifiedSite } from './testing/certified-site.ts'

const fetch = guardedFetch({ allow: ['127.0.0.2/31'] })
const trusted = getCACertificates('default')
let issued: Certificates

beforeAll(async () => {
  issued = await certificates(['127.0.0.2', '127.0.0.3'])
  setDefaultCACertificates([...trusted, issued.authority])
})

afterAll(async () => {
  setDefaultCACertificates(trusted)
  await fetch.close()
})

const clientCertificate = () => ({ pfx: issued.pfx, passphrase: issued.passphrase })

test('a server that requires a certificate accepts only requests with one', async () => {
  await using site = await certifiedSite('127.0.0.2', issued, { isRequired: true })
  const { status, body } = await fetch(site.origin, { clientCertificate: clientCertificate() })
  expect([status, new TextDecoder().decode(body)]).toEqual([200, 'welcome'])
  await expect(fetch(site.origin)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(site.clients).toEqual(['client'])
})

test('the certificate is sent again after a redirect on the same origin', async () => {
  await using site = await certifiedSite('127.0.0.2', issued, { isRequired: true })
  await fetch(`${site.origin}/?to=/`, { clientCertificate: clientCertificate() })
  await fetch(`${site.origin}/?to=/`, { method: 'POST', clientCertificate: clientCertificate() })
  expect(site.clients).toEqual(['client', 'client', 'client', 'client'])
})

test('the certificate is not sent to another origin, nor to the first after a redirect back', async () => {
  await using site = await certifiedSite('127.0.0.2', issued, { isRequired: false })
  await using elsewhere = await certifiedSite('127.0.0.3', issued, { isRequired: false })
  const redirectUrl = `${elsewhere.origin}/?to=${encodeURIComponent(site.origin)}`
  await fetch(`${site.origin}/?to=${encodeURIComponent(redirectUrl)}`, { clientCertificate: clientCertificate() })
  expect(elsewhere.clients).toEqual([undefined])
  expect(site.clients).toEqual(['client', undefined])
})

test('a certificate that cannot be opened, or sent without TLS, is invalid, and no request is sent', async () => {
  await using site = await certifiedSite('127.0.0.2', issued, { isRequired: false })
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
