import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, X509Certificate } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { systemClock, type TlsKeys } from '@icosa/kernel'
import { certificate, type Names } from './certificate.ts'
import { authorityFile } from './instance.ts'

export { authorityFile }

const dayMs = 86_400_000
/** Browsers refuse certificates that are valid for longer. */
const certificateMs = 397 * dayMs
const authorityMs = 3650 * dayMs

const names: Names = {
  dns: [...new Set(['localhost', hostname().toLowerCase()])],
  ip: [Buffer.from([127, 0, 0, 1]), Buffer.from([...new Array(15).fill(0), 1])],
}

/**
 * Keys for local HTTPS: a CA of this data folder, created once, and a certificate for the names of this machine,
 * created at every start. Name constraints limit the CA to these names, so a leaked key is useless against other
 * hosts.
 */
export async function localTls(dataDirectory: string): Promise<TlsKeys> {
  const authority = await ensureAuthority(dataDirectory)
  const { publicKey, privateKey } = newKeys()
  const cert = certificate({
    kind: 'server',
    subject: 'Icosa on this machine',
    issuer: authority.name,
    publicKey,
    signedBy: authority.key,
    ...validFor(certificateMs),
    names: { ...names, dns: [...names.dns, '*.fn.localhost'] }, // hosts of functions; the CA's `localhost` permits them
  })
  return { key: pemOf(privateKey), cert: cert + authority.pem }
}

interface Authority {
  readonly key: KeyObject
  readonly pem: string
  readonly name: string
}

/** Unique per folder: a program that trusts several CAs finds the right one by name. */
const newName = () => `Icosa development ${randomBytes(4).toString('hex')}`
const nameOf = (pem: string) => new X509Certificate(pem).subject.replace('CN=', '')

async function ensureAuthority(dataDirectory: string): Promise<Authority> {
  const file = authorityFile(dataDirectory)
  const keyFile = join(dataDirectory, 'tls', 'ca-key.pem')
  const [known, knownKey] = await Promise.all(
    [file, keyFile].map((one) => readFile(one, 'utf8').catch(() => undefined)),
  )
  if (known !== undefined && knownKey !== undefined && isLasting(known))
    return { key: createPrivateKey(knownKey), pem: known, name: nameOf(known) }
  const { publicKey, privateKey } = newKeys()
  const name = newName()
  const pem = certificate({
    kind: 'authority',
    subject: name,
    issuer: name,
    publicKey,
    signedBy: privateKey,
    ...validFor(authorityMs),
    names,
  })
  await mkdir(join(dataDirectory, 'tls'), { recursive: true, mode: 0o700 })
  await writeFile(keyFile, pemOf(privateKey), { mode: 0o600 })
  await writeFile(file, pem)
  return { key: privateKey, pem, name }
}

/** A CA must outlive the certificates that it signs. */
const isLasting = (pem: string) =>
  Date.parse(new X509Certificate(pem).validTo) - systemClock.now().getTime() > certificateMs

function validFor(ms: number) {
  const notBefore = new Date(systemClock.now().getTime() - dayMs) // other clocks may be behind
  return { notBefore, notAfter: new Date(notBefore.getTime() + ms) }
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
