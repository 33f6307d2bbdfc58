import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** What a browser and an authenticator could say wrongly. */
export interface Lies {
  readonly origin?: string
  readonly rpId?: string
  readonly type?: string
  /** Not sure of its owner. */
  readonly unverified?: boolean
  readonly counter?: number
  readonly userHandle?: string | undefined
  readonly credentialId?: string
  /** The attestation: its format and statement, made of what is attested. */
  readonly attestation?: (attested: Attested) => readonly [format: string, statement: Map<string, unknown>]
  readonly transports?: unknown
}

export interface Attested {
  readonly authData: Buffer
  readonly clientDataHash: Buffer
  /** With the key of the passkey. */
  sign(data: Buffer): Buffer
}

export interface Authenticator {
  /** Answers `navigator.credentials.create`, as JSON. */
  create(options: PublicKeyCredentialCreationOptionsJSON, lies?: Lies): string
  /** Answers `navigator.credentials.get`, as JSON. */
  get(options: PublicKeyCredentialRequestOptionsJSON, lies?: Lies): string
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (data: string | Uint8Array) => Buffer.from(data).toString('base64url')

/** A passkey in software: ES256, no attestation. `counts`: its counter goes up with every use, as in a security key. */
export function softwareAuthenticator(home: string, { counts = true } = {}): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ownId = randomBytes(32)
  let counter = 0
  let owner = ''
  const signed = (data: Buffer) => sign('sha256', data, privateKey)

  function clientData(type: string, challenge: string, lies: Lies): Buffer {
    const origin = lies.origin ?? home
    return Buffer.from(JSON.stringify({ type: lies.type ?? type, challenge, origin, crossOrigin: false }))
  }

  /** The hash of the site, flags (user present, user verified, credential attached) and the counter. */
  function authenticatorData(rpId: string, lies: Lies, attached: Uint8Array = Buffer.alloc(0)): Buffer {
    const flags = 0x01 | (lies.unverified ? 0 : 0x04) | (attached.length > 0 ? 0x40 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(lies.counter ?? counter)
    return Buffer.concat([sha256(lies.rpId ?? rpId), Buffer.of(flags), count, attached])
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

  const answer = (response: object, lies: Lies) => {
    const id = lies.credentialId ?? base64url(ownId)
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })
  }

  return {
    create({ challenge, rp, user }, lies = {}) {
      owner = user.id
      const clientDataJSON = clientData('webauthn.create', challenge, lies)
      const authData = authenticatorData(rp.id ?? '', lies, attachedCredential())
      const attested = { authData, clientDataHash: sha256(clientDataJSON), sign: signed }
      const [fmt, attStmt] = lies.attestation?.(attested) ?? ['none', new Map()]
      const object = new Map<string, unknown>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', new Uint8Array(authData)],
      ])
      const attestationObject = base64url(isoCBOR.encode(object as never))
      const transports = lies.transports ?? ['internal']
      return answer({ clientDataJSON: base64url(clientDataJSON), attestationObject, transports }, lies)
    },
    get({ challenge, rpId = '' }, lies = {}) {
      if (counts) counter++
      const clientDataJSON = clientData('webauthn.get', challenge, lies)
      const data = authenticatorData(rpId, lies)
      const signature = signed(Buffer.concat([data, sha256(clientDataJSON)]))
      const userHandle = 'userHandle' in lies ? lies.userHandle : owner
      const response = { authenticatorData: base64url(data), signature: base64url(signature), userHandle }
      return answer({ clientDataJSON: base64url(clientDataJSON), ...response }, lies)
    },
  }
}
