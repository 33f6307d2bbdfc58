import { expect, test } from 'vitest'
import { seededRandom, sentenceMaker } from '../testing/sentences.ts'
import { backTranslate, translate } from './translate.ts'

const SENTENCES = 10_000

/**
 * Minimum share of round trips per class that are exact, and that a screen reader speaks the same: capitals and the shape
 * of quotes are silent.
 * Reasons for a share below 1:
 * - braille has one sign for straight and curly quotes, for both apostrophes, and for three dots and an ellipsis;
 * - liblouis 3.24 does not back-translate the capital passage sign;
 * - before `;`, `)` and `]` it reads a shortform or wordsign as its letters: `tonight;` becomes `tn;`;
 * - after `(` it reads the sign of `his` as a quote.
 */
const floors: Record<string, { exact: number; spoken: number }> = {
  'plain words': { exact: 1, spoken: 1 },
  'a sentence': { exact: 1, spoken: 1 },
  'names and acronyms': { exact: 1, spoken: 1 },
  'all capitals': { exact: 0, spoken: 1 },
  'whole numbers': { exact: 1, spoken: 1 },
  'formatted numbers': { exact: 1, spoken: 1 },
  'times and ordinals': { exact: 1, spoken: 1 },
  'commas, colons and semicolons': { exact: 0.65, spoken: 0.65 },
  'questions and exclamations': { exact: 1, spoken: 1 },
  apostrophes: { exact: 0.31, spoken: 1 },
  'straight quotes': { exact: 1, spoken: 1 },
  'curly quotes': { exact: 0, spoken: 1 },
  hyphens: { exact: 1, spoken: 1 },
  'dashes and ellipses': { exact: 0, spoken: 1 },
  brackets: { exact: 0.79, spoken: 0.79 },
  'money and percent': { exact: 1, spoken: 1 },
  'letters with numbers': { exact: 1, spoken: 1 },
  addresses: { exact: 1, spoken: 1 },
}

const spoken = (text: string) => text.toLowerCase().replace(/[“”]/g, '"').replaceAll('’', "'").replaceAll('…', '...')

const share = (count: number, all: number) => `${((100 * count) / all).toFixed(1)} %`.padStart(8)

test(`${SENTENCES} sentences survive translation and back-translation`, () => {
  const makers = Object.entries(sentenceMaker(seededRandom(1829)))
  const tally = new Map(makers.map(([name]) => [name, { all: 0, exact: 0, spoken: 0 }]))
  const total = { all: 0, exact: 0, spoken: 0 }
  for (let at = 0; at < SENTENCES; at++) {
    const [name, make] = makers[at % makers.length] ?? ['', () => '']
    const sentence = make()
    const returned = backTranslate(translate(sentence).cells)
    for (const count of [total, tally.get(name) ?? total]) {
      count.all++
      if (returned === sentence) count.exact++
      if (spoken(returned) === spoken(sentence)) count.spoken++
    }
  }

  const rows = [...tally, ['all', total] as const].map(
    ([name, { all, exact, spoken }]) => `${name.padEnd(32)}${share(exact, all)}${share(spoken, all)}`,
  )
  console.log([`${'round trip'.padEnd(32)}   exact  spoken`, ...rows].join('\n'))

  for (const [name, { all, exact, spoken }] of tally) {
    expect(exact / all, `${name}, exact`).toBeGreaterThanOrEqual(floors[name]?.exact ?? 1)
    expect(spoken / all, `${name}, spoken`).toBeGreaterThanOrEqual(floors[name]?.spoken ?? 1)
  }
  expect(total.exact / total.all).toBeGreaterThanOrEqual(0.76)
  expect(total.spoken / total.all).toBeGreaterThanOrEqual(0.965)
})

test('two numbers are back-translated as two, and a grouped number as one', () => {
  const texts = ['in 2020 30 people came', '1/2 3.14', 'rooms 12 14 16', 'a1 2b', 'THE YEAR 2020 30 PEOPLE']
  const back = (text: string) => backTranslate(translate(text).cells)
  expect(texts.map((text) => back(text).toLowerCase())).toEqual(texts.map((text) => text.toLowerCase()))
  expect(translate('12 14').cells).not.toBe(translate('12\u00a014').cells)
  expect(back('20\u00a0000')).toBe('20 000')
})
