import { invalid } from '../errors.ts'

/** Whether PostgreSQL can keep a text: it has neither NUL nor halves of characters. */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

export function unstorable(at: string): never {
  invalid([{ at, message: 'contains a NUL or an unpaired surrogate: send valid Unicode text' }])
}

/** What a schema says of texts that PostgreSQL cannot keep. */
export interface NulSchema {
  readonly 'x-icosa-nul'?: boolean
  readonly properties?: Readonly<Record<string, NulSchema>>
  readonly items?: NulSchema
}

/** Whether a text can be kept, or is one in which NUL means something. */
export const isAllowed = (text: string, schema: NulSchema = {}) =>
  isStorable(text) || (schema['x-icosa-nul'] === true && text.isWellFormed())

/** Refuses a value with text in it, or in its names, that PostgreSQL cannot keep. */
export function checkStorable(value: unknown, at = 'body', schema: NulSchema = {}): void {
  if (typeof value === 'string' && !isAllowed(value, schema)) unstorable(at)
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    checkStorable(name, at)
    checkStorable(member, `${at}/${name}`, schema.properties?.[name] ?? schema.items)
  }
}
