import { randomBytes } from 'node:crypto'
import { type SealedColumn, sealingContext, type Vault } from '@icosa/kernel'

/** A stored key, with a sealed secret. */
export interface SealedKey {
  readonly id: string
  readonly name: string
  readonly readOnly: boolean
  readonly sealed: Buffer
}

const kinds = [
  { name: 'Primary', readOnly: false },
  { name: 'Secondary', readOnly: false },
  { name: 'Primary Read Only', readOnly: true },
  { name: 'Secondary Read Only', readOnly: true },
]

/** Generates the keys of a new store. */
export function fourKeys(vault: Vault, store: string): SealedKey[] {
  return kinds.map((kind) => {
    const id = `0-l4-s0:${randomBytes(15).toString('base64url')}`
    return { ...kind, id, sealed: newSecret(vault, store, id) }
  })
}

export function newSecret(vault: Vault, store: string, id: string): Buffer {
  return vault.seal(randomBytes(32).toString('base64'), sealingContext(accessKeySecrets, { store, id }))
}

/** Returns the secret in base64, as clients use it. */
export function openSecret(vault: Vault, store: string, { id, sealed }: Pick<SealedKey, 'id' | 'sealed'>): string {
  return vault.open(sealed, sealingContext(accessKeySecrets, { store, id }))
}

export const accessKeySecrets: SealedColumn = {
  table: 'configuration_stores.access_keys',
  column: 'secret',
  context: 'configuration store {store} key {id}',
}
