import { invalid } from '../errors.ts'

/** Whether PostgreSQL can keep a text: it has neither NUL nor halves of characters. */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

/** Refuses a value with text in it, or in its names, that PostgreSQL cannot keep. */
export function checkStorable(value: unknown, at = 'body'): void {
  if (typeof value === 'string' && !isStorable(value))
    invalid([{ at, message: 'holds a NUL or half of a character: send text in Unicode' }])
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    checkStorable(name, at)
    checkStorable(member, `${at}/${name}`)
  }
}
