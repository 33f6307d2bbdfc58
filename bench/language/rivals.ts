import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { type Contender, none } from './clinc.ts'

interface NodeNlp {
  addDocument(language: string, text: string, intent: string): void
  train(): Promise<void>
  process(language: string, text: string): Promise<{ intent: string; score: number }>
}

/** node-nlp as in its README, from the folder where it is installed, with its own None and threshold. */
export function nodeNlp(folder: string): Contender | undefined {
  const require = createRequire(join(resolve(folder), 'package.json'))
  const known = installed(require)
  if (!known) return undefined
  const manager = new known.NlpManager({ languages: ['en'], forceNER: false, autoSave: false, nlu: { log: false } })
  return {
    name: `node-nlp ${known.version}`,
    async train(pairs) {
      for (const [text, intent] of pairs) manager.addDocument('en', text, intent)
      await manager.train()
    },
    async guess(text) {
      const { intent, score } = await manager.process('en', text)
      return { intent: intent === 'None' ? none : intent, score }
    },
  }
}

function installed(require: NodeJS.Require) {
  try {
    require.resolve('node-nlp')
  } catch {
    return undefined
  }
  const { NlpManager } = require('node-nlp') as { NlpManager: new (options: object) => NodeNlp }
  const { version } = require('node-nlp/package.json') as { version: string }
  return { NlpManager, version }
}
