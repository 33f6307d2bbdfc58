import type { CellVault } from '@icosa/kernel'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'

/** Each generation has one key per algorithm. ES256 is for access tokens: RSA takes twenty times as long to sign. */
export const signingAlgorithms = ['ES256', 'RS256'] as const

export interface NewKey {
  readonly kid: string
  readonly alg: string
  readonly publicJwk: JWK
  readonly sealedPrivateJwk: Buffer
}

export async function generateKeys(cellVault: CellVault): Promise<NewKey[]> {
  return Promise.all(signingAlgorithms.map((alg) => generateKey(cellVault, alg)))
}

async function generateKey(cellVault: CellVault, alg: string): Promise<NewKey> {
  const pair = await generateKeyPair(alg, { modulusLength: 2048, extractable: true })
  const publicPart = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint(publicPart)
  const names = { kid, alg, use: 'sig' }
  const privateJwk = { ...(await exportJWK(pair.privateKey)), ...names }
  return {
    kid,
    alg,
    publicJwk: { ...publicPart, ...names },
    sealedPrivateJwk: cellVault.seal(JSON.stringify(privateJwk), kid),
  }
}
