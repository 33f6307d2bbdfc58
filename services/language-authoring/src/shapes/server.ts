import type { Schema } from '@icosa/contract'
import { cognitiveServer } from '@icosa/dialects/keyed/cognitive'
import type { DialectServer } from '@icosa/kernel'
import { keyHeaders, keyParameter, originalRoots, serviceName } from '../names.ts'

interface Described {
  readonly properties?: Readonly<Record<string, unknown>>
}

/** The specification's words for what the original's clients call otherwise. */
const words: Readonly<Record<string, string>> = { pattern: 'phrases', mode: 'isExchangeable' }

/** Fields may be written with a capital, as the specification does. */
export function spelled(body: unknown, schema: Schema): unknown {
  const { properties } = schema as Described
  if (!properties || typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (name in properties) return [name, value]
      const lower = name.charAt(0).toLowerCase() + name.slice(1)
      const word = 'isExchangeable' in properties ? (words[lower] ?? lower) : lower
      return [word in properties && !(word in body) ? word : name, value]
    }),
  )
}

export const authoringServer = (): DialectServer => ({
  ...cognitiveServer({ name: serviceName, headers: keyHeaders, root: originalRoots.authoring }),
  normalize: spelled,
})

/** Where questions are asked: at the addresses of the original, too. */
export const askingServer = (root: string, at: string): DialectServer => ({
  ...cognitiveServer({ name: serviceName, headers: keyHeaders, parameter: keyParameter }),
  locate: ({ target }) => (target.startsWith(`${root}/`) ? `${at}${target.slice(root.length)}` : undefined),
})
