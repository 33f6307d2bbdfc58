import { nearest } from '@icosa/settings'

/** ` Did you mean 'backup'?`, whichever case it was written in; nothing if no name is near. */
export function suggestion(word: string, names: readonly string[]): string {
  const found = nearest(
    word.toLowerCase(),
    names.map((name) => name.toLowerCase()),
    Math.max(2, Math.floor(word.length / 3)),
  )
  return found === undefined ? '' : ` Did you mean '${names.find((name) => name.toLowerCase() === found)}'?`
}
