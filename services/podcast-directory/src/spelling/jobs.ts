import { type Db, type Job, job } from '@icosa/kernel'
import { canBeMisspelled, spellingsOf } from './edits.ts'
import { englishWords } from './english.ts'
import * as store from './store.ts'

export const learnWordsEveryMs = 30_000
const wordsAtOnce = 2_000

/** Learns how the words of the dictionary and of the tenants' documents can be misspelled. */
export const learnWords: Job<object> = job<object>('learnWords', {
  retries: 0, // the next one is half a minute away
  async run(_, { db, transaction, signal }) {
    if (!(await store.hasDictionary(db))) {
      const words = await englishWords()
      await transaction((writing) => addDictionary(writing, words))
    }
    for (;;) {
      const words = await store.toLearn(db, wordsAtOnce)
      if (words.length === 0 || signal.aborted) return
      const learnt = words.map(({ tenant, word, number }) => ({ tenant, word, spellings: numbered(number, word) }))
      await transaction((writing) => store.learn(writing, learnt))
    }
  },
})

const dictionaryNumber = 0

/** A tenant's spellings are its own: its number stands before them. */
const numbered = (number: number, word: string) =>
  canBeMisspelled(word) ? spellingsOf(word).map((spelling) => `${number}:${spelling}`) : []

async function addDictionary(db: Db, words: readonly string[]): Promise<void> {
  for (let from = 0; from < words.length; from += wordsAtOnce) {
    const some = words.slice(from, from + wordsAtOnce)
    await store.addDictionary(
      db,
      some.map((word) => ({ word, spellings: numbered(dictionaryNumber, word) })),
    )
  }
}
