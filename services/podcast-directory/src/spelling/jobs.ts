import { type Db, type Job, job } from '@icosa/kernel'
import { canBeMisspelled, spellingsOf } from './edits.ts'
import { englishWords } from './english.ts'
import * as store from './store.ts'

export const learnWordsEveryMs = 30_000
const wordsPerBatch = 2_000

/** Stores the spellings of new words of the dictionary and of documents. */
export const learnWords: Job<object> = job<object>('learnWords', {
  retries: 0, // the next one is half a minute away
  async run(_, { db, transaction, signal }) {
    if (!(await store.hasDictionary(db))) {
      const words = await englishWords()
      await transaction((writing) => addDictionary(writing, words))
    }
    for (;;) {
      const words = await store.toLearn(db, wordsPerBatch)
      if (words.length === 0 || signal.aborted) return
      const entries = words.map(({ tenant, word, number }) => ({ tenant, word, spellings: numbered(number, word) }))
      await transaction((writing) => store.learn(writing, entries))
    }
  },
})

const dictionaryNumber = 0

/** Spellings prefixed with the tenant's number. */
const numbered = (number: number, word: string) =>
  canBeMisspelled(word) ? spellingsOf(word).map((spelling) => `${number}:${spelling}`) : []

async function addDictionary(db: Db, words: readonly string[]): Promise<void> {
  for (let from = 0; from < words.length; from += wordsPerBatch) {
    const batch = words.slice(from, from + wordsPerBatch)
    await store.addDictionary(
      db,
      batch.map((word) => ({ word, spellings: numbered(dictionaryNumber, word) })),
    )
  }
}
