import { invalid } from '@icosa/kernel'

/** Refuses text that PostgreSQL cannot keep: NUL, and halves of characters. */
export function checkStorable(value: unknown, at = 'body'): void {
  if (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0')))
    invalid([{ at, message: 'holds a NUL or half of a character: send text in Unicode' }])
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    checkStorable(name, at)
    checkStorable(member, `${at}/${name}`)
  }
}
