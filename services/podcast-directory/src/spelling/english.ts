import { wordsOf } from '../search/words.ts'

export interface English {
  /** Whether it is an English word, in any of its forms. */
  isWord(word: string): boolean
}

/** Takes a quarter of a second and 30 MB, so it waits for the first who asks. */
export function openEnglish(): () => Promise<English> {
  let loading: Promise<English> | undefined
  return () => {
    loading ??= load()
    return loading
  }
}

async function load(): Promise<English> {
  const { default: nspell } = await import('nspell')
  const { default: dictionary } = await import('dictionary-en')
  const speller = nspell(dictionary)
  // Names stand there with a capital letter.
  return { isWord: (word) => speller.correct(word) || speller.correct(word.charAt(0).toUpperCase() + word.slice(1)) }
}

/** The words of the dictionary in their basic forms. */
export async function englishWords(): Promise<string[]> {
  const { default: dictionary } = await import('dictionary-en')
  const lines = Buffer.from(dictionary.dic).toString().split('\n').slice(1)
  const words = lines.flatMap((line) => wordsOf(line.split('/', 1)[0] ?? '').slice(0, 1))
  return [...new Set(words.filter((word) => /^[a-z]{3,}$/.test(word)))]
}
