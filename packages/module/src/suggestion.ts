import { meantBy } from '@icosa/settings'

/** ` Did you mean 'backup'?`, ignoring case; empty if no name is close. */
export function suggestion(word: string, names: readonly string[]): string {
  const similar = meantBy(word, names)
  return similar === undefined ? '' : ` Did you mean '${similar}'?`
}
