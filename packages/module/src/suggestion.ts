import { meantBy } from '@icosa/settings'

/** ` Did you mean 'backup'?`, whichever case it was written in; nothing if no name is near. */
export function suggestion(word: string, names: readonly string[]): string {
  const meant = meantBy(word, names)
  return meant === undefined ? '' : ` Did you mean '${meant}'?`
}
