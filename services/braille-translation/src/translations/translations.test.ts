import { startTestApp, type TestApp } from '@icosa/testing'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contract from '../contract.ts'
import { brailleTranslation } from '../index.ts'
import { CELLS_PER_LINE, dotCentre } from './png.ts'

let app: TestApp
let key = ''
beforeAll(async () => {
  app = await startTestApp(brailleTranslation)
  key = await app.key('ada')
})
afterAll(() => app[Symbol.asyncDispose]())

const reader = () => app.client(contract.translations, { headers: { 'X-Vendor-Api-Secret': key } })
const get = (path: string, headers: Record<string, string> = { 'X-Vendor-Api-Secret': key }) =>
  fetch(`${app.url}/braille-translation${path}`, { headers })
const envelope = (translated: unknown, text: string, destination: string) => ({
  success: { total: 1 },
  contents: { translated, text, translation: { source: 'english', destination } },
})

test('one text in five forms, in the envelope that clients expect', async () => {
  const text = 'Hello world'
  const query = { query: { text } }
  const responses = [
    [await reader().translateToDisplay(query), ',hello _w\r\n', 'braille display'],
    [
      await reader().translateToDots(query),
      ['6', '125', '15', '123', '123', '135', 'none', '456', '2456'],
      'braille dots',
    ],
    [await reader().translateToUnicode(query), [...'⠠⠓⠑⠇⠇⠕⠀⠸⠺'], 'braille unicode'],
    [
      await reader().translateToHtml(query),
      ['&#x2820;', '&#x2813;', '&#x2811;', '&#x2807;', '&#x2807;', '&#x2815;', '&#x2800;', '&#x2838;', '&#x283a;'],
      'braille html',
    ],
  ] as const
  for (const [{ status, body }, translated, destination] of responses)
    expect({ status, body }).toEqual({ status: 200, body: envelope(translated, text, destination) })

  const { body } = await reader().translateToImage(query)
  expect(body.contents.translation.destination).toBe('braille images')
  expect(body.contents.translated).toHaveLength(9)
  expect(body.contents.translated[1]).toMatch(
    /^<img src='data:image\/png;base64,[\w+/=]+' alt='dots 1 2 5' width='24' height='40'>$/,
  )
})

test('without a key, or with a wrong one, the status is 401; either spelling of the header works', async () => {
  const path = '/translate/braille?text=x'
  for (const headers of [
    {},
    { 'X-Vendor-Api-Secret': 'wrong' },
    { 'X-Funtranslations-Api-Secret': '' },
    { 'X-Api-Key': key },
  ]) {
    const response = await get(path, headers as Record<string, string>)
    expect([response.status, await response.json()]).toEqual([401, { error: { code: 401, message: 'Unauthorized' } }])
  }
  for (const header of ['X-Vendor-Api-Secret', 'X-Funtranslations-Api-Secret', 'x-vendor-api-secret'])
    expect((await get(path, { [header]: key })).status).toBe(200)
})

test('a text is required, and its table must exist', async () => {
  const missing = await get('/translate/braille')
  expect([missing.status, await missing.json()]).toEqual([
    400,
    { error: { code: 400, message: 'query/text is required' } },
  ])
  expect((await get(`/translate/braille?text=${'x'.repeat(10_001)}`)).status).toBe(400)
  for (const table of ['nothing.ctb', '../../etc/passwd', 'en-ueb-g2.ctb,de-g2.ctb', ''])
    expect(await (await get(`/translate/braille?text=x&table=${encodeURIComponent(table)}`)).json()).toMatchObject({
      error: { code: 400, message: /There is no table/ },
    })
  const empty = await get('/translate/braille?text=')
  expect(await empty.json()).toEqual(envelope('\r\n', '', 'braille display'))
})

test('characters missing from the table are marked in the text, and listed in a header', async () => {
  const response = await get(`/translate/braille?text=${encodeURIComponent('a 😀 b')}`)
  expect(response.headers.get('untranslated-characters')).toBe('U+1F600')
  const { contents } = (await response.json()) as { contents: { translated: string } }
  expect(contents.translated, "a '\\y1f600' b").toBe(",a '_*y#a;f#fjj' ;b\r\n".slice(1))
})

test('other languages and grades, and back-translation', async () => {
  const tables = app.client(contract.tables, { headers: { 'X-Vendor-Api-Secret': key } })
  const { body: german } = await tables.listTables({ query: { language: 'de' } })
  expect(german.tables.map(({ id }) => id)).toContain('de-g2.ctb')
  const { body } = await reader().translateToUnicode({ query: { text: 'Schule', table: 'de-g1.ctb' } })
  expect(body.contents.translation.source).toBe('german')

  const braille = '⠠⠓⠑⠇⠇⠕⠀⠸⠺'
  expect((await reader().translateToText({ query: { braille } })).body.contents).toEqual({
    translated: 'Hello world',
    text: braille,
    translation: { source: 'braille unicode', destination: 'english' },
  })
  await expect(reader().translateToText({ query: { braille: 'abc' } })).rejects.toMatchObject({ status: 400 })
})

test('the dots of the picture, decoded from the PNG, are the cells of the unicode form', async () => {
  const text = 'The quick fox, aged 13, said "why not?"'
  const query = `text=${encodeURIComponent(text)}`
  const response = await get(`/translate/braille/image?${query}`, { 'X-Vendor-Api-Secret': key, accept: 'image/png' })
  expect(response.headers.get('content-type')).toBe('image/png')
  const image = PNG.sync.read(Buffer.from(await response.arrayBuffer()))
  const { body } = await reader().translateToUnicode({ query: { text } })
  const cells = body.contents.translated
  const decoded = cells.map((_, index) => {
    const dots = [1, 2, 3, 4, 5, 6].filter((dot) => {
      const [x, y] = dotCentre(index, 0, dot, 3)
      return (image.data[(Math.floor(y) * image.width + Math.floor(x)) * 4] ?? 255) < 100
    })
    return String.fromCodePoint(0x2800 + dots.reduce((sum, dot) => sum + 2 ** (dot - 1), 0))
  })
  expect(cells.length, 'fits in one line of the picture').toBeLessThanOrEqual(CELLS_PER_LINE)
  expect(decoded.join('')).toBe(cells.join(''))
})

test('as HTML the braille is for the eyes and the text for a screen reader', async () => {
  const headers = { 'X-Vendor-Api-Secret': key, accept: 'text/html,application/xhtml+xml' }
  const response = await get(`/translate/braille/html?text=${encodeURIComponent('a <b> & c')}`, headers)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const page = await response.text()
  expect(page).toMatch(/<p lang="en-Brai"[^>]* aria-hidden="true">[\u2800-\u28ff]+<\/p>/)
  expect(page).toMatch(/<figcaption lang="en"[^>]*>a &lt;b&gt; &amp; c<\/figcaption>/)
})
