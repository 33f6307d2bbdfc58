import type { AppDocument } from '../document.ts'
import { type Hit, overlap, within } from '../hits/hit.ts'
import type { Query } from '../results.ts'
import { Cache } from './cache.ts'
import { recognizedCulture, recognizers } from './recognizers.ts'

/** Shared by the process: many apps have the same prebuilt entities, and queries repeat. */
const cache = new Cache<Hit[]>(20_000)

/** Finds the prebuilt entities of an app. */
export class Prebuilts {
  readonly #names: string[]
  readonly #culture: string | undefined

  constructor(app: Pick<AppDocument, 'culture' | 'prebuiltEntities'>) {
    this.#names = app.prebuiltEntities.map(({ name }) => name).filter((name) => recognizers.has(name))
    this.#culture = recognizedCulture(app.culture)
  }

  find(text: string, query: Omit<Query, 'query'>, only?: ReadonlySet<string>): Hit[] {
    const names = this.#names.filter((name) => !only || only.has(name))
    if (names.length === 0) return []
    const reference = referenceOf(query)
    return resolveOverlaps(names.flatMap((name) => this.#hitsOf(name, text, reference)))
  }

  warm(): void {
    this.find('1 2 3', {})
  }

  #hitsOf(name: string, text: string, reference: Date): Hit[] {
    const recognizer = recognizers.get(name)
    const culture = recognizer?.spoken ? this.#culture : 'en-us'
    if (!recognizer || !culture) return []
    const when = name === 'datetimeV2' ? `${Math.floor(reference.getTime() / 60_000)}` : ''
    return cache.take(`${name}\n${culture}\n${when}\n${text}`, () =>
      recognizer
        .find(text, culture, reference)
        .filter((result) => name !== 'dimension' || !halfOfDay.test(result.text))
        .map(
          (result): Hit => ({
            model: name,
            kind: 'prebuilt',
            type: name.endsWith('V2') ? `builtin.${result.typeName}` : recognizer.type,
            start: result.start,
            end: result.end + 1,
            resolution: result.resolution,
            source: 'model',
          }),
        ),
    )
  }
}

/**
 * Recognizers read the local fields of a date, which must be those of the user's clock, not of the machine's. The query
 * supplies the date: the engine has no clock.
 */
function referenceOf({ datetimeReference, timezoneOffset = 0 }: Omit<Query, 'query'>): Date {
  const userTime = datetimeReference ?? new Date(timezoneOffset * 60_000)
  return new Date(
    userTime.getUTCFullYear(),
    userTime.getUTCMonth(),
    userTime.getUTCDate(),
    userTime.getUTCHours(),
    userTime.getUTCMinutes(),
    userTime.getUTCSeconds(),
  )
}

/** Also found inside others: "30 dollars" is money and contains the number 30. */
const inner: ReadonlySet<string> = new Set(['number', 'ordinal', 'ordinalV2'])
/** Precedence at equal length: "5pm" is a time, not five picometres. */
const order = ['datetimeV2', 'email', 'url', 'phonenumber', 'age', 'money', 'temperature', 'percentage', 'dimension']
/** Never a dimension, even in an app without times. */
const halfOfDay = /^(?:0?\d|1[0-2])\s?(?:pm|am)$/i

function resolveOverlaps(hits: readonly Hit[]): Hit[] {
  const selected: Hit[] = []
  const outer = hits.filter(({ model }) => !inner.has(model))
  const byLength = outer.toSorted(
    (a, b) => b.end - b.start - (a.end - a.start) || order.indexOf(a.model) - order.indexOf(b.model),
  )
  for (const hit of byLength) if (!selected.some((other) => overlap(other, hit))) selected.push(hit)
  const numbers = hits.filter(({ model }) => inner.has(model))
  // Numbers in addresses and telephone numbers have no meaning.
  const opaque = selected.filter(({ model }) => model === 'email' || model === 'url' || model === 'phonenumber')
  return [...selected, ...numbers.filter((number) => !opaque.some((other) => within(number, other)))]
}
