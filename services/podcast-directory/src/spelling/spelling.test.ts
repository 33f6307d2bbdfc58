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
])('the distance from %s to %s is %i', (a, b, edits) => expect(editsBetween(a, b)).toBe(edits))

test('a misspelled word shares a spelling with the correct one', () => {
  for (const typed of ['fotball', 'footbbal', 'footbqll', 'ofotball'])
    expect(wideSpellingsOf(typed).some((spelling) => spellingsOf('football').includes(spelling))).toBe(true)
})

test('misspelled words are corrected and highlighted, others are unchanged', async () => {
  expect(await check('Fotball & the champoinship')).toEqual({
    tokens: [
      { offset: 0, token: 'Fotball', suggestion: 'football' },
      { offset: 14, token: 'champoinship', suggestion: 'championship' },
    ],
    corrected_text_html: '<b><i>football</i></b> &amp; the <b><i>championship</i></b>',
  })
})

test.each(['football', 'listening', 'xylophones', '2024 100', 'ok', '東京都', 'Zürich'])(
  '%j is not corrected',
  async (q) => {
    expect((await check(q)).tokens).toEqual([])
  },
)

test('dictionary words that are in no episode are suggested', async () => {
  expect((await check('xylophne')).tokens).toMatchObject([{ suggestion: 'xylophone' }])
})

/** Omits, doubles, replaces, inserts or swaps a letter, except the first. */
function mistyped(random: Random, word: string): string {
  const at = 1 + random.below(word.length - 1)
  const [before, letter, after] = [word.slice(0, at), word[at] ?? '', word.slice(at + 1)]
  const other = random.pick([...'abcdefghijklmnopqrstuvwxyz'].filter((candidate) => candidate !== letter))
  const ways = [
    before + after,
    before + letter + letter + after,
    before + other + after,
    before + other + letter + after,
  ]
  const swapped = after === '' ? ways[0] : before + (after[0] ?? '') + letter + after.slice(1)
  return random.pick([...ways, swapped ?? ''])
}

test('at least 90 % of 500 titles with a typo are corrected', async () => {
  const random = randomOf(17)
  const titles = [...syntheticEpisodes(catalog)].map(({ title }) =>
    wordsOf(title).filter((word) => !/^\d+$/.test(word)),
  )
  let [corrected, attempts] = [0, 0]
  while (attempts < 500) {
    const words = random.pick(titles)
    const long = words.flatMap((word, index) => (canBeMisspelled(word) && word.length >= 5 ? index : []))
    if (long.length === 0) continue
    const index = random.pick(long)
    const typed = words.with(index, mistyped(random, words[index] as string))
    if (typed[index] === words[index]) continue
    attempts++
    const { corrected_text_html } = await check(typed.join(' '))
    if (corrected_text_html.replace(/<\/?[bi]>/g, '') === words.join(' ')) corrected++
  }
  console.log(`corrected: ${corrected} of ${attempts} (${((100 * corrected) / attempts).toFixed(1)} %)`)
  expect(corrected / attempts).toBeGreaterThanOrEqual(0.9)
})
