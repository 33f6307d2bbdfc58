import { statementsOf } from './statements.ts'

const at = '/braille-translation'
const key = { 'x-vendor-api-secret': 'icosa-dev-key' }
const forms = ['', '/dots', '/unicode', '/image', '/html']
const texts = [
  'Hello world',
  'The quick brown fox jumps over the lazy dog 123',
  'Children know that people will rather be quite enough',
  'e-mail: ada@example.com, 50% off!',
  'line one\nline two',
  'ABC DEF',
  'naïve café — Über',
  '😀 שלום',
  '$5.00 + £3 = ¥?',
  '1/2 3.14 -7',
  '"quoted" (paren) [brackets]',
  'http://a.b/c?d=e',
  'a&b <i>',
]
/** Words and signs of Unified English Braille. */
const unified = {
  and: '⠯',
  the: '⠮',
  people: '⠏',
  knowledge: '⠅',
  braille: '⠃⠗⠇',
  mother: '⠐⠍',
  '1': '⠼⠁',
  A: '⠠⠁',
  ABC: '⠠⠠⠁⠃⠉',
  child: '⠡',
  cannot: '⠸⠉',
  tomorrow: '⠞⠍',
  before: '⠆⠋',
  '?': '⠰⠦',
  Hello: '⠠⠓⠑⠇⠇⠕',
}

const cellOf = (dots: string) =>
  dots === 'none' ? 0 : [...dots].reduce((cell, dot) => cell | (1 << (Number(dot) - 1)), 0)
const fromDots = (cells: readonly string[]) =>
  cells.map((dots) => (/^[\r\n]$/.test(dots) ? dots : String.fromCodePoint(0x2800 + cellOf(dots))))
const fromHtml = (cells: readonly string[]) =>
  cells.map((cell) => cell.replace(/&#x(28[\da-f]{2});/i, (_, code) => String.fromCodePoint(Number.parseInt(code, 16))))

statementsOf('S4', ['braille-translation'], async ({ call, holds }) => {
  const get = (path: string, headers: Record<string, string> = key) =>
    call(`${at}/translate/braille${path}`, { headers })
  const contentsOf = async (form: string, text: string) =>
    (await get(`${form}?text=${encodeURIComponent(text)}`)).json.contents

  for (const form of forms) {
    const whole = await get(`${form}?text=Hello+world`)
    const { success, contents } = whole.json
    const isEnvelope = success.total === 1 && contents.translated && contents.text === 'Hello world'
    const { source, destination } = contents.translation
    holds(`braille${form} answers in its envelope`, isEnvelope && source === 'english' && destination, whole.text)
    const unknown = await get(`${form}?text=x`, {})
    holds(
      `braille${form} without a key is 401`,
      unknown.status === 401 && unknown.json.error.code === 401,
      unknown.text,
    )
    holds(
      `braille${form} with a wrong key is 401`,
      (await get(`${form}?text=x`, { 'x-vendor-api-secret': 'wrong' })).status === 401,
    )
    holds(`braille${form} without a text is 400`, (await get(form)).status === 400)
    holds(
      `braille${form} takes 10,000 characters and no more`,
      (await get(`${form}?text=${'a'.repeat(10_001)}`)).status === 400,
    )
    holds(`braille${form}.json is the same`, (await get(`${form}.json?text=Hi`)).status === 200)
    const posted = await call(`${at}/translate/braille${form}?text=Hi`, { method: 'POST', headers: key })
    holds(`braille${form} takes POST`, posted.status === 200, posted.text)
  }
  const original = await get('?text=x', { 'x-funtranslations-api-secret': 'icosa-dev-key' })
  holds('the header may be spelled as in the original', original.status === 200, original.text)
  holds('the key may be the parameter api_key', (await get('?text=x&api_key=icosa-dev-key', {})).status === 200)

  for (const text of texts) {
    const shown = JSON.stringify(text)
    const { translated: cells } = await contentsOf('/unicode', text)
    const { translated: dots } = await contentsOf('/dots', text)
    holds(`dots are the cells of ${shown}`, fromDots(dots).join('') === cells.join(''), [dots, cells])
    const { translated: html } = await contentsOf('/html', text)
    holds(`html has the cells of ${shown}`, fromHtml(html).join('') === cells.join(''), [html, cells])
    const { translated: images } = await contentsOf('/image', text)
    holds(`as many images as cells of ${shown}`, images.length === cells.length, images.length)
    const { translated: display } = await contentsOf('', text)
    const isLine = display.endsWith('\r\n') && [...display].length === cells.length + 2
    holds(`as many letters of the display as cells of ${shown}, and a line's end`, isLine, [display, cells.length])
  }
  for (const [text, cells] of Object.entries(unified)) {
    const { translated } = await contentsOf('/unicode', text)
    holds(`${text} is ${cells} in Unified English Braille`, translated.join('') === cells, translated)
  }
  const { translated: numbers } = await contentsOf('/unicode', 'in 2020 30 people')
  holds('two numbers stay two', numbers.join('').includes('⠼⠃⠚⠃⠚⠀⠼⠉⠚'), numbers)
  const picture = await get('/image?text=Hi', { ...key, accept: 'image/png' })
  holds('one picture of the whole for who accepts PNG', picture.bytes.subarray(1, 4).toString() === 'PNG')
  holds('an unknown table is 400', (await get('?text=x&table=zzz')).status === 400)
})
