import type { Schema } from '@icosa/contract'
import { cognitiveServer } from '@icosa/dialects/keyed/cognitive'
import type { DialectServer } from '@icosa/kernel'
import { keyHeaders, keyParameter, originalRoots, serviceName } from '../names.ts'

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, unknown>>
}

/** Field names of the specification, and those of the original's clients. */
const words: Readonly<Record<string, string>> = { pattern: 'phrases', mode: 'isExchangeable', words: 'subLists' }
const modes: Readonly<Record<string, boolean>> = { Exchangeable: true, NonExchangeable: false }

/** Returns the contract's name of a field that may be capitalized, or named as in the specification. */
function nameIn(properties: object, body: object, name: string): string {
  if (name in properties) return name
  const lower = name.charAt(0).toLowerCase() + name.slice(1)
  const match = [lower, words[lower]].find((candidate) => candidate !== undefined && candidate in properties)
  return match === undefined || match in body ? name : match
}

export function spelled(body: unknown, schema: Schema): unknown {
  const { properties } = schema as ObjectSchema
  if (!properties || typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const own = nameIn(properties, body, name)
      return [own, own === 'isExchangeable' && own !== name ? (modes[String(value)] ?? value) : value]
    }),
  )
}

function sentAs(body: unknown, schema: Schema, field: string): string {
  const { properties = {} } = schema as ObjectSchema
  if (typeof body !== 'object' || body === null) return field
  return Object.keys(body).find((name) => nameIn(properties, body, name) === field) ?? field
}

export const authoringServer = (): DialectServer => ({
  ...cognitiveServer({ name: serviceName, headers: keyHeaders, root: originalRoots.authoring }),
  normalize: spelled,
  sentAs,
})

/** Dialect of the prediction APIs, which are also served at the original's paths. */
export const predictionServer = (root: string, at: string): DialectServer => ({
  ...cognitiveServer({ name: serviceName, headers: keyHeaders, parameter: keyParameter }),
  locate: ({ target }) => (target.startsWith(`${root}/`) ? `${at}${target.slice(root.length)}` : undefined),
})
