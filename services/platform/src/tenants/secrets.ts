import { randomBytes } from 'node:crypto'
import { Failure, type Keys, type SealedColumn, sealingContext } from '@icosa/kernel'
import { cipher } from '@icosa/tokens'
import { withFields } from './fields.ts'

/** Opens a sealed secret, and seals it under another key. */
export type Reseal = (sealed: Uint8Array, context: string) => Uint8Array

/** Returns a row, as a line of JSON, with its secrets resealed. */
export function resealed(line: string, columns: readonly SealedColumn[], reseal: Reseal): string {
  const row = columns.length === 0 ? {} : (JSON.parse(line) as Record<string, string>)
  return withFields(
    line,
    columns.flatMap((column) => {
      const hex = row[column.column]
      if (hex === undefined || hex === null) return []
      const secret = reseal(Buffer.from(hex.slice(2), 'hex'), sealingContext(column, row))
      return [[column.column, `\\x${Buffer.from(secret).toString('hex')}`] as const]
    }),
  )
}

const keyForm = /^icosa_export_([\w-]{43})$/

export const newExportKey = () => `icosa_export_${randomBytes(32).toString('base64url')}`

function keyOf(exportKey: string) {
  const [, text] = keyForm.exec(exportKey) ?? []
  if (text === undefined)
    throw new Failure('invalid', 'This is not the key of an export: it begins with icosa_export_.')
  return cipher.keyOf(Buffer.from(text, 'base64url'))
}

/** From the keys of a tenant to the key of an export. */
export function toExport(keys: Keys, exportKey: string): Reseal {
  const key = keyOf(exportKey)
  return (sealed, context) => cipher.seal(key, keys.open(sealed, context), context)
}

/** From the key of an export to the keys of a tenant. */
export function fromExport(keys: Keys, exportKey: string): Reseal {
  const key = keyOf(exportKey)
  return (sealed, context) => {
    if (cipher.sealedUnder(sealed) !== key.id)
      throw new Failure('invalid', 'The secrets of this export have another key.')
    return keys.seal(cipher.unseal(key, sealed, context).toString(), context)
  }
}
