import { serve } from '@icosa/compute/serve'
import dictionary from 'dictionary-en'
import { readDictionary } from './dictionary.ts'

await serve(() => {
  const isForm = readDictionary(dictionary)
  // The dictionary contains names with a capital letter.
  const isWord = (word: string) => isForm(word) || isForm(word.charAt(0).toUpperCase() + word.slice(1))
  return (words: readonly string[]) => words.filter(isWord)
})
