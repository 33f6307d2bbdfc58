import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Certificates {
  /** PEM of the authority that signed both certificates. */
  readonly authority: string
  readonly server: { readonly key: string; readonly cert: string }
  readonly pfx: Uint8Array
  readonly passphrase: string
}

const run = promisify(execFile)
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

/** Creates an authority, a server certificate for some loopback addresses, and a client certificate as PKCS#12. */
export async function certificates(addresses: readonly string[]): Promise<Certificates> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-certificates-'))
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })
  const read = (name: string) => readFile(join(folder, name), 'utf8')
  const sign = async (name: string) => {
    await openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/O=Icosa/CN=${name}`)
    const issuer = [
      '-CA',
      'authority.pem',
      '-CAkey',
      'authority.key',
      '-CAcreateserial',
      '-extfile',
      'names',
      '-days',
      '2',
    ]
    await openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.pem`, ...issuer)
  }
  try {
    await writeFile(join(folder, 'names'), `subjectAltName=${addresses.map((address) => `IP:${address}`).join(',')}`)
    const authority = ['-keyout', 'authority.key', '-out', 'authority.pem', '-days', '2', '-subj', '/CN=Test authority']
    await openssl('req', '-x509', ...newKey, ...authority)
    await sign('server')
    await sign('client')
    const passphrase = 'open sesame'
    const client = ['-inkey', 'client.key', '-in', 'client.pem']
    await openssl('pkcs12', '-export', ...client, '-passout', `pass:${passphrase}`, '-out', 'client.pfx')
    return {
      authority: await read('authority.pem'),
      server: { key: await read('server.key'), cert: await read('server.pem') },
      pfx: await readFile(join(folder, 'client.pfx')),
      passphrase,
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}
