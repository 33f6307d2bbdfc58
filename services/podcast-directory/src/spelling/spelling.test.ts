import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Random, randomOf } from '../catalog/random.ts'
import { syntheticEpisodes } from '../catalog/synthetic.ts'
import { wordsOf } from '../search/words.ts'
import { fill, halfADay, seekerOf, startDiscovery } from '../testing/discovery.ts'
import { canBeMisspelled, editsBetween, spellingsOf, wideSpellingsOf } from './edits.ts'

const catalog = { seed: 5, podcasts: 100, episodes: 2_000 }

let app: Awaited<ReturnType<typeof startDiscovery>>
let me: Awaited<ReturnType<typeof seekerOf>>

beforeAll(async () => {
  app = await startDiscovery()
  me = await seekerOf(app)
  await fill(app, catalog)
  await halfADay(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const check = async (q: string) => (await me.spellcheck({ query: { q } })).body

test.each([
  ['kitten', 'kitten', 0],
  ['kitten', 'kiten', 1],
  ['kitten', 'kittten', 1],
  ['kitten', 'mitten', 1],
  ['kitten', 'iktten', 1],
  ['kitten', 'kitnet', 2],
  ['kitten', 'sitting', 3],
])('from %s to %s it takes %i', (a, b, edits) => expect(editsBetween(a, b)).toBe(edits))

test('a word with a mistake has a spelling in common with what was meant', () => {
  for (const typed of ['fotball', 'footbbal', 'footbqll', 'ofotball'])
    expect(wideSpellingsOf(typed).some((spelling) => spellingsOf('football').includes(spelling))).toBe(true)
})

test('misspelled words are corrected and marked; the others stay as they are', async () => {
  expect(await check('Fotball & the champoinship')).toEqual({
    tokens: [
      { offset: 0, token: 'Fotball', suggestion: 'football' },
      { offset: 14, token: 'champoinship', suggestion: 'championship' },
    ],
    corrected_text_html: '<b><i>football</i></b> &amp; the <b><i>championship</i></b>',
  })
})

test.each(['football', 'listening', 'xylophones', '2024 100', 'ok', '東京都', 'Zürich'])(
  '%j is left alone',
  async (q) => {
    expect((await check(q)).tokens).toEqual([])
  },
)

test('a word of the dictionary that no episode has is known, and is suggested', async () => {
  expect((await check('xylophne')).tokens).toMatchObject([{ suggestion: 'xylophone' }])
})

/** A letter is left out, doubled, exchanged or swapped, as fingers do; never the first, which most people get right. */
function mistyped(random: Random, word: string): string {
  const at = 1 + random.below(word.length - 1)
  const [before, letter, after] = [word.slice(0, at), word[at] ?? '', word.slice(at + 1)]
  const other = random.pick([...'abcdefghijklmnopqrstuvwxyz'].filter((one) => one !== letter))
  const ways = [
    before + after,
    before + letter + letter + after,
    before + other + after,
    before + other + letter + after,
  ]
  const swapped = after === '' ? ways[0] : before + (after[0] ?? '') + letter + after.slice(1)
  return random.pick([...ways, swapped ?? ''])
}

test('of 500 titles with a mistake, nine of ten come back as they were', async () => {
  const random = randomOf(17)
  const titles = [...syntheticEpisodes(catalog)].map(({ title }) =>
    wordsOf(title).filter((word) => !/^\d+$/.test(word)),
  )
  let [corrected, tried] = [0, 0]
  while (tried < 500) {
    const words = random.pick(titles)
    const long = words.flatMap((word, place) => (canBeMisspelled(word) && word.length >= 5 ? place : []))
    if (long.length === 0) continue
    const place = random.pick(long)
    const typed = words.with(place, mistyped(random, words[place] as string))
    if (typed[place] === words[place]) continue
    tried++
    const { corrected_text_html } = await check(typed.join(' '))
    if (corrected_text_html.replace(/<\/?[bi]>/g, '') === words.join(' ')) corrected++
  }
  console.log(`corrected: ${corrected} of ${tried} (${((100 * corrected) / tried).toFixed(1)} %)`)
  expect(corrected / tried).toBeGreaterThanOrEqual(0.9)
})
