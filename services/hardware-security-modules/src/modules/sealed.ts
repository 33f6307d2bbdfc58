import { randomBytes } from 'node:crypto'
import { type SealedColumn, sealingContext, type Vault } from '@icosa/kernel'
import type { Pins } from '../token/calls.ts'
import type { Files } from '../token/files.ts'

export const tokenColumn: SealedColumn = {
  table: 'hardware_security_modules.modules',
  column: 'token',
  context: 'hardware security module {id}',
}

/** A token without its keys, and the PINs that open it. */
export interface WholeToken {
  readonly files: Files
  readonly pins: Pins
}

/** Nobody types them: they open the token for the platform, and never leave it. */
export const newPins = (): Pins => ({ so: pin(), user: pin() })

const pin = () => randomBytes(24).toString('base64url')

export const sealToken = (vault: Vault, id: string, token: WholeToken): Buffer =>
  vault.seal(JSON.stringify(token), sealingContext(tokenColumn, { id }))

export const openSealed = (vault: Vault, id: string, sealed: Buffer): WholeToken =>
  JSON.parse(vault.open(sealed, sealingContext(tokenColumn, { id })))
