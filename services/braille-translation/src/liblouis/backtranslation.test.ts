import { expect, test } from 'vitest'
import { seededRandom, sentenceMaker } from '../testing/sentences.ts'
import { backTranslate, translate } from './translate.ts'

const SENTENCES = 10_000

/**
 * The least share of each class that must come back: letter by letter, and as a screen reader would speak it, which
 * hears neither capitals nor the shape of quotes. What stays under 1 is lost for these reasons:
 * - braille has one sign for straight and curly quotes, for both apostrophes, and for three dots and an ellipsis;
 * - liblouis 3.24 does not read the sign that makes a whole passage capital;
 * - before `;`, `)` and `]` it takes a shortform or wordsign for its letters: `tonight;` comes back as `tn;`;
 * - after `(` it takes the sign of `his` for a quote.
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

const share = (survived: number, all: number) => `${((100 * survived) / all).toFixed(1)} %`.padStart(8)

test(`${SENTENCES} sentences are translated and translated back`, () => {
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
  console.log([`${'came back'.padEnd(32)}   exact  spoken`, ...rows].join('\n'))

  for (const [name, { all, exact, spoken }] of tally) {
    expect(exact / all, `${name}, exact`).toBeGreaterThanOrEqual(floors[name]?.exact ?? 1)
    expect(spoken / all, `${name}, spoken`).toBeGreaterThanOrEqual(floors[name]?.spoken ?? 1)
  }
  expect(total.exact / total.all).toBeGreaterThanOrEqual(0.76)
  expect(total.spoken / total.all).toBeGreaterThanOrEqual(0.965)
})

test('two numbers come back as two, and a grouped number as one', () => {
  const texts = ['in 2020 30 people came', '1/2 3.14', 'rooms 12 14 16', 'a1 2b', 'THE YEAR 2020 30 PEOPLE']
  const back = (text: string) => backTranslate(translate(text).cells)
  expect(texts.map((text) => back(text).toLowerCase())).toEqual(texts.map((text) => text.toLowerCase()))
  expect(translate('12 14').cells).not.toBe(translate('12\u00a014').cells)
  expect(back('20\u00a0000')).toBe('20 000')
})
