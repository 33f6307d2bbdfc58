import { isStopWord, wordsOf } from '../search/words.ts'

/** Suffixes of a text that start with a significant word, up to `max`. */
export function keysOf(text: string, max = 6): string[] {
  const words = wordsOf(text)
  const starts = [...words.keys()].filter((index) => !isStopWord(words[index] as string))
  const keys = (starts.length > 0 ? starts : [0]).slice(0, max).map((index) => words.slice(index).join(' '))
  return [...new Set(keys.filter((key) => key !== '').map((key) => key.slice(0, maxKeyLength).toWellFormed()))]
}

const maxKeyLength = 100

/** Prefix of keys to search for; a trailing space means that the last word is complete. */
export function prefixOf(input: string): string {
  const words = wordsOf(input)
  const first = words.findIndex((word) => !isStopWord(word))
  const significant = words.slice(Math.max(0, first)).join(' ')
  const isComplete = /\s$/.test(input) && significant !== ''
  return (isComplete ? `${significant} ` : significant).slice(0, maxKeyLength)
}
