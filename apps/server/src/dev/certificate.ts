import { type KeyObject, randomBytes, sign } from 'node:crypto'
import { bits, boolean, inPlace, integer, octets, oid, sequence, setOf, tagged, text, time } from './der.ts'

export interface Names {
  readonly dns: readonly string[]
  /** IP addresses as 4 or 16 bytes. */
  readonly ip: readonly Uint8Array[]
}

export interface CertificateRequest {
  readonly subject: string
  readonly issuer: string
  readonly publicKey: KeyObject
  readonly signedBy: KeyObject
  readonly notBefore: Date
  readonly notAfter: Date
  /** For a server, its names; for an authority, the names that it may sign for. */
  readonly names: Names
  readonly kind: 'server' | 'authority'
}

const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'))
const commonName = (name: string) => sequence(setOf(sequence(oid('2.5.4.3'), text(name))))

/** X.509 certificate of an elliptic-curve key as PEM, with only what local TLS needs. */
export function certificate(request: CertificateRequest): string {
  const { subject, issuer, publicKey, signedBy, notBefore, notAfter } = request
  const body = sequence(
    tagged(0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    commonName(issuer),
    sequence(time(notBefore), time(notAfter)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...extensionsOf(request))),
  )
  const signed = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, signedBy)))
  const lines = signed.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

const extension = (id: string, isCritical: boolean, value: Uint8Array) =>
  sequence(oid(id), ...(isCritical ? [boolean(true)] : []), octets(value))

function extensionsOf({ kind, names }: CertificateRequest): Buffer[] {
  const dns = names.dns.map((name) => inPlace(2, Buffer.from(name)))
  if (kind === 'server')
    return [
      extension('2.5.29.15', true, bits(Buffer.from([0x80]), 7)), // digital signature
      extension('2.5.29.37', false, sequence(oid('1.3.6.1.5.5.7.3.1'))), // server authentication
      extension('2.5.29.17', false, sequence(...dns, ...names.ip.map((bytes) => inPlace(7, bytes)))),
    ]
  const single = (bytes: Uint8Array) => inPlace(7, Buffer.concat([bytes, Buffer.alloc(bytes.length, 0xff)]))
  const permitted = [...dns, ...names.ip.map(single)].map((name) => sequence(name))
  return [
    extension('2.5.29.19', true, sequence(boolean(true), integer(Buffer.from([0])))), // a CA with path length 0
    extension('2.5.29.15', true, bits(Buffer.from([0x06]), 1)), // certificate and CRL signing
    extension('2.5.29.30', true, sequence(tagged(0, ...permitted))), // name constraints
  ]
}
