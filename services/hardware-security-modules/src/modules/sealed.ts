import { randomBytes } from 'node:crypto'
import { type SealedColumn, sealingContext, type Vault } from '@icosa/kernel'
import type { Pins } from '../token/calls.ts'
import type { Files } from '../token/files.ts'

export const tokenColumn: SealedColumn = {
  table: 'hardware_security_modules.modules',
  column: 'token',
  context: 'hardware security module {id}',
}

/** Files of a token without its keys, and its PINs. */
export interface TokenContent {
  readonly files: Files
  readonly pins: Pins
}

/** Random PINs, which never leave the platform. */
export const newPins = (): Pins => ({ so: pin(), user: pin() })

const pin = () => randomBytes(24).toString('base64url')

export const sealToken = (vault: Vault, id: string, token: TokenContent): Buffer =>
  vault.seal(JSON.stringify(token), sealingContext(tokenColumn, { id }))

export const openSealed = (vault: Vault, id: string, sealed: Buffer): TokenContent =>
  JSON.parse(vault.open(sealed, sealingContext(tokenColumn, { id })))
