import { invalid, isStorable } from '@icosa/kernel'

/** Returns the key after which a page starts. A forged token may contain anything. */
export function startOf(after: readonly unknown[] = [], at: string): string {
  const [key = ''] = after
  if (typeof key !== 'string' || !isStorable(key))
    invalid([{ at, message: 'is not a token of this list: start again without one' }])
  return key
}
