import { invalid, isStorable } from '@icosa/kernel'

/** The key after which a page starts. A token that somebody has made up may hold anything. */
export function startOf(after: readonly unknown[] = [], at: string): string {
  const [key = ''] = after
  if (typeof key !== 'string' || !isStorable(key))
    invalid([{ at, message: 'is not a token of this list: start again without one' }])
  return key
}
