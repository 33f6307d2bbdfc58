import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** Values of a malicious browser or authenticator. */
export interface Tampering {
  readonly origin?: string
  readonly rpId?: string
  readonly type?: string
  /** User verification failed. */
  readonly unverified?: boolean
  readonly counter?: number
  readonly userHandle?: string | undefined
  readonly credentialId?: string
  /** Format and statement of the attestation. */
  readonly attestation?: (attested: Attested) => readonly [format: string, statement: Map<string, unknown>]
  readonly transports?: unknown
}

export interface Attested {
  readonly authData: Buffer
  readonly clientDataHash: Buffer
  /** Signs with the key of the passkey. */
  sign(data: Buffer): Buffer
}

export interface Authenticator {
  /** The result of `navigator.credentials.create`, as JSON. */
  create(options: PublicKeyCredentialCreationOptionsJSON, tampering?: Tampering): string
  /** The result of `navigator.credentials.get`, as JSON. */
  get(options: PublicKeyCredentialRequestOptionsJSON, tampering?: Tampering): string
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (data: string | Uint8Array) => Buffer.from(data).toString('base64url')

/** A software passkey: ES256, no attestation. `counts`: its counter increases with every use, as in a security key. */
export function softwareAuthenticator(home: string, { counts = true } = {}): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ownId = randomBytes(32)
  let counter = 0
  let owner = ''
  const signData = (data: Buffer) => sign('sha256', data, privateKey)

  function clientData(type: string, challenge: string, tampering: Tampering): Buffer {
    const origin = tampering.origin ?? home
    return Buffer.from(JSON.stringify({ type: tampering.type ?? type, challenge, origin, crossOrigin: false }))
  }

  /** The hash of the site, flags (user present, user verified, credential attached) and the counter. */
  function authenticatorData(rpId: string, tampering: Tampering, attached: Uint8Array = Buffer.alloc(0)): Buffer {
    const flags = 0x01 | (tampering.unverified ? 0 : 0x04) | (attached.length > 0 ? 0x40 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(tampering.counter ?? counter)
    return Buffer.concat([sha256(tampering.rpId ?? rpId), Buffer.of(flags), count, attached])
  }

  function attachedCredential(): Buffer {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
    const cose = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ])
    return Buffer.concat([Buffer.alloc(16), Buffer.of(0, ownId.length), ownId, isoCBOR.encode(cose as never)])
  }

  const credential = (response: object, tampering: Tampering) => {
    const id = tampering.credentialId ?? base64url(ownId)
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })
  }

  return {
    create({ challenge, rp, user }, tampering = {}) {
      owner = user.id
      const clientDataJSON = clientData('webauthn.create', challenge, tampering)
      const authData = authenticatorData(rp.id ?? '', tampering, attachedCredential())
      const attested = { authData, clientDataHash: sha256(clientDataJSON), sign: signData }
      const [fmt, attStmt] = tampering.attestation?.(attested) ?? ['none', new Map()]
      const object = new Map<string, unknown>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', new Uint8Array(authData)],
      ])
      const attestationObject = base64url(isoCBOR.encode(object as never))
      const transports = tampering.transports ?? ['internal']
      return credential({ clientDataJSON: base64url(clientDataJSON), attestationObject, transports }, tampering)
    },
    get({ challenge, rpId = '' }, tampering = {}) {
      if (counts) counter++
      const clientDataJSON = clientData('webauthn.get', challenge, tampering)
      const data = authenticatorData(rpId, tampering)
      const signature = signData(Buffer.concat([data, sha256(clientDataJSON)]))
      const userHandle = 'userHandle' in tampering ? tampering.userHandle : owner
      const response = { authenticatorData: base64url(data), signature: base64url(signature), userHandle }
      return credential({ clientDataJSON: base64url(clientDataJSON), ...response }, tampering)
    },
  }
}
