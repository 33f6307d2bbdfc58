import { openPool } from '@icosa/compute'
import type { Metrics } from '@icosa/kernel'
import { wordsOf } from '../search/words.ts'

export interface English {
  /** Those of the words that are English, in any of their forms. */
  among(tenant: string, words: readonly string[]): Promise<ReadonlySet<string>>
  close(): Promise<void>
}

/**
 * A thread reads the dictionary as soon as the node starts, which takes it less time than the node needs to be ready. Who
 * asks before it is read waits for it, and nobody waits with them.
 */
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

/** The words of the dictionary in their basic forms. */
export async function englishWords(): Promise<string[]> {
  const { default: dictionary } = await import('dictionary-en')
  const lines = Buffer.from(dictionary.dic).toString().split('\n').slice(1)
  const words = lines.flatMap((line) => wordsOf(line.split('/', 1)[0] ?? '').slice(0, 1))
  return [...new Set(words.filter((word) => /^[a-z]{3,}$/.test(word)))]
}
