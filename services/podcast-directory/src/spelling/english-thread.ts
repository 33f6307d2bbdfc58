import { serve } from '@icosa/compute/serve'
import dictionary from 'dictionary-en'
import nspell from 'nspell'

await serve(() => {
  const speller = nspell(dictionary)
  // Names stand there with a capital letter.
  const isWord = (word: string) =>
    speller.correct(word) || speller.correct(word.charAt(0).toUpperCase() + word.slice(1))
  return (words: readonly string[]) => words.filter(isWord)
})
