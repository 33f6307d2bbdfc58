import { openPool } from '@icosa/compute'
import type { Metrics } from '@icosa/kernel'
import { wordsOf } from '../search/words.ts'

export interface English {
  /** The English ones among these words, in any form. */
  among(tenant: string, words: readonly string[]): Promise<ReadonlySet<string>>
  close(): Promise<void>
}

/** A thread loads the dictionary when the node starts. Earlier requests wait for it without blocking others. */
export function openEnglish(metrics: Metrics): English {
  const speller = openPool<readonly string[], string[]>({
    name: 'spelling',
    module: new URL('./english-thread.ts', import.meta.url),
    warmAtStart: 1,
    memoryMb: 96,
    deadlineMs: 5_000,
    metrics,
  })
  return {
    among: async (tenant, words) => new Set(words.length === 0 ? [] : await speller.run(tenant, words)),
    close: () => speller.close(),
  }
}

/** Stems of the dictionary. */
export async function englishWords(): Promise<string[]> {
  const { default: dictionary } = await import('dictionary-en')
  const lines = Buffer.from(dictionary.dic).toString().split('\n').slice(1)
  const words = lines.flatMap((line) => wordsOf(line.split('/', 1)[0] ?? '').slice(0, 1))
  return [...new Set(words.filter((word) => /^[a-z]{3,}$/.test(word)))]
}
