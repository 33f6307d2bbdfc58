import type { AppDocument } from '../document.ts'
import { type Hit, overlap, within } from '../hits/hit.ts'
import type { Query } from '../results.ts'
import { Cache } from './cache.ts'
import { recognizedCulture, recognizers } from './recognizers.ts'

/** For the whole process: many apps have the same prebuilt entities, and users say the same things. */
const cache = new Cache<Hit[]>(20_000)

/** Finds the prebuilt entities that an app has, and no others. */
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
    return resolveOverlaps(names.flatMap((name) => this.#found(name, text, reference)))
  }

  warm(): void {
    this.find('1 2 3', {})
  }

  #found(name: string, text: string, reference: Date): Hit[] {
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
 * Recognizers read the local fields of a date, which must show the user's clock, whatever that of the machine shows.
 * Whoever wants dates resolved says what day it is: the engine has no clock.
 */
function referenceOf({ datetimeReference, timezoneOffset = 0 }: Omit<Query, 'query'>): Date {
  const shown = datetimeReference ?? new Date(timezoneOffset * 60_000)
  return new Date(
    shown.getUTCFullYear(),
    shown.getUTCMonth(),
    shown.getUTCDate(),
    shown.getUTCHours(),
    shown.getUTCMinutes(),
    shown.getUTCSeconds(),
  )
}

/** Numbers are found inside others, too: "30 dollars" is money and has the number 30. */
const inner: ReadonlySet<string> = new Set(['number', 'ordinal', 'ordinalV2'])
/** Of two that are equally long, the first of these: "5pm" is a time, not five picometres. */
const order = ['datetimeV2', 'email', 'url', 'phonenumber', 'age', 'money', 'temperature', 'percentage', 'dimension']
/** Never a length, even in an app that does not ask for times. */
const halfOfDay = /^(?:0?\d|1[0-2])\s?(?:pm|am)$/i

function resolveOverlaps(hits: readonly Hit[]): Hit[] {
  const kept: Hit[] = []
  const outer = hits.filter(({ model }) => !inner.has(model))
  const byLength = outer.toSorted(
    (a, b) => b.end - b.start - (a.end - a.start) || order.indexOf(a.model) - order.indexOf(b.model),
  )
  for (const hit of byLength) if (!kept.some((other) => overlap(other, hit))) kept.push(hit)
  const numbers = hits.filter(({ model }) => inner.has(model))
  // An address or a telephone number has no numbers that mean anything.
  const opaque = kept.filter(({ model }) => model === 'email' || model === 'url' || model === 'phonenumber')
  return [...kept, ...numbers.filter((number) => !opaque.some((other) => within(number, other)))]
}
