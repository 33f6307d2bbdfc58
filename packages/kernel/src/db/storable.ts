import { invalid } from '../errors.ts'

/** Whether PostgreSQL can store a text: no NUL, no unpaired surrogates. */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

export function unstorable(at: string): never {
  invalid([{ at, message: 'contains a NUL or an unpaired surrogate: send valid Unicode text' }])
}

/** Schema extension for texts that PostgreSQL cannot store. */
export interface NulSchema {
  readonly 'x-icosa-nul'?: boolean
  readonly properties?: Readonly<Record<string, NulSchema>>
  readonly items?: NulSchema
}

/** Whether a text can be stored, or its schema allows NUL. */
export const isAllowed = (text: string, schema: NulSchema = {}) =>
  isStorable(text) || (schema['x-icosa-nul'] === true && text.isWellFormed())

/** Refuses a value that contains text, or property names, that PostgreSQL cannot store. */
export function checkStorable(value: unknown, at = 'body', schema: NulSchema = {}): void {
  if (typeof value === 'string' && !isAllowed(value, schema)) unstorable(at)
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    checkStorable(name, at)
    checkStorable(member, `${at}/${name}`, schema.properties?.[name] ?? schema.items)
  }
}
