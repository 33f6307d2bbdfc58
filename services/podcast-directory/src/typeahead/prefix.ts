import { isStopWord, wordsOf } from '../search/words.ts'

/** A text from each of its telling words on, at most so many times: what somebody may begin to type. */
export function keysOf(text: string, most = 6): string[] {
  const words = wordsOf(text)
  const starts = [...words.keys()].filter((place) => !isStopWord(words[place] as string))
  const keys = (starts.length > 0 ? starts : [0]).slice(0, most).map((place) => words.slice(place).join(' '))
  return [...new Set(keys.filter((key) => key !== '').map((key) => key.slice(0, maxKeyLength).toWellFormed()))]
}

const maxKeyLength = 100

/** What keys must begin with; a space at the end says that the last word is complete. */
export function prefixOf(typed: string): string {
  const words = wordsOf(typed)
  const first = words.findIndex((word) => !isStopWord(word))
  const telling = words.slice(Math.max(0, first)).join(' ')
  const isComplete = /\s$/.test(typed) && telling !== ''
  return (isComplete ? `${telling} ` : telling).slice(0, maxKeyLength)
}
