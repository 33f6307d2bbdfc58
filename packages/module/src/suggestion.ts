import { meantBy } from '@icosa/settings'

/** ` Did you mean 'backup'?`, ignoring case; empty if no name is close. */
export function suggestion(word: string, names: readonly string[]): string {
  const meant = meantBy(word, names)
  return meant === undefined ? '' : ` Did you mean '${meant}'?`
}
