import { createHmac } from 'node:crypto'
import type { Db, Vault } from '@icosa/kernel'
import { documentStore, type Stored } from '../documents/store.ts'
import { serviceName } from '../names.ts'
import { readMoment } from '../shapes/moments.ts'

export interface CodeBody {
  readonly type: 'STATIC' | 'GENERATED'
  readonly expiresAt: string
}

export const codeStore = documentStore<CodeBody>('CardGeneratedCvc2', { AVAILABLE: ['USED'] })

/** Codes are not stored. */
export const cvc2KeyOf = (vault: Vault): Buffer => vault.derive(`${serviceName} cvc2`)

/** Three digits, derived from the id of a code. */
export const cvc2Of = (
  key: Buffer,
  tenant: string,
  { id, parent }: Pick<Stored<CodeBody>, 'id' | 'parent'>,
): string => {
  const digest = createHmac('sha256', key)
    .update(JSON.stringify([tenant, parent, id]))
    .digest()
  return String(digest.readUIntBE(0, 6) % 1_000).padStart(3, '0')
}

export const isAvailable = ({ status, body }: Stored<CodeBody>, now: Date) =>
  status === 'AVAILABLE' && (readMoment(body.expiresAt) as Date) > now

interface Use {
  readonly db: Db
  readonly tenant: string
  readonly at: Date
}

/** Uses a code for a purchase; one that is not static is used up. Returns false if there is no such code. */
export async function useCode(
  key: Buffer,
  { db, tenant, at }: Use,
  card: { readonly id: string; readonly user: string },
  cvc2: string,
): Promise<boolean> {
  const codes = await codeStore.list(db, tenant, { user: card.user, parent: card.id })
  const match = codes.find((code) => isAvailable(code, at) && cvc2Of(key, tenant, code) === cvc2)
  const code = match && (await codeStore.lock(db, tenant, match.id))
  if (!code || !isAvailable(code, at)) return false
  if (code.body.type === 'GENERATED') await codeStore.update(db, tenant, code.id, { status: 'USED', at })
  return true
}
