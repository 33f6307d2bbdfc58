import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { plainOf, ssmlOf } from './ssml.ts'

const read = (text: string, voice = 'en-us') => ssmlOf(`<speak>${text}</speak>`, 'body/Text', voice)
const pronunciation = (text: string, voice?: string) => pronounced(read(text, voice), voice ?? 'en-us')
const plain = (text: string, voice = 'en-us') => pronounced(plainOf(text), voice)
/** Ignores word boundaries, which differ. */
const letters = (ipa: string) => ipa.replaceAll(' ', '')
const sayAs = (how: string, text: string, more = '') => `<say-as interpret-as="${how}"${more}>${text}</say-as>`

test.each([
  ['digits', '123456', '1 2 3 4 5 6'],
  ['digits', '12-34 56', '1 2 3 4 5 6'],
  ['telephone', '+1 (206) 555-0101', '+ 1 2 0 6 5 5 5 0 1 0 1'],
  ['characters', '123456', '1 2 3 4 5 6'],
  ['spell-out', 'kb12', 'k. b. 1 2'],
  ['cardinal', '123', '123'],
  ['number', '007', '7'],
  ['ordinal', '21', 'twenty first'],
  ['ordinal', '112', 'one hundred twelfth'],
  ['time', `1'21"`, '1 minute, 21 seconds'],
  ['time', '2:30pm', '2:30 PM'],
  ['time', '14:00', '2 PM'],
])('%s: %s is pronounced as "%s"', async (how, text, as) => {
  expect(letters(await pronunciation(sayAs(how, text)))).toBe(letters(await plain(as)))
})

test.each([
  ['mdy', '9/21/2026', 'September 21st, 2026'],
  ['dmy', '21.9.2026', 'September 21st, 2026'],
  ['ymd', '2026-09-21', 'September 21st, 2026'],
  ['yyyymmdd', '20260921', 'September 21st, 2026'],
  ['md', '9-3', 'September 3rd'],
  ['dm', '3 9', 'September 3rd'],
  ['my', '9/2026', 'September 2026'],
  ['ym', '2026/9', 'September 2026'],
  ['d', '3', '3rd'],
  ['m', '9', 'September'],
  ['y', '2026', '2026'],
])('a date in the format %s: %s', async (format, text, as) => {
  expect(await pronunciation(sayAs('date', text, ` format="${format}"`))).toBe(await plain(as))
})

test('a one-time code is read digit by digit in every language', async () => {
  for (const voice of ['en-gb', 'de', 'fr-fr', 'es', 'cmn', 'ar', 'ru'])
    expect(letters(await pronunciation(sayAs('digits', '4711'), voice)), voice).not.toBe(
      letters(await plain('4711', voice)),
    )
  expect(letters(await pronunciation(sayAs('digits', '4711'), 'de'))).toBe(letters(await plain('4 7 1 1', 'de')))
})

test('months and ordinals depend on the language, also within a message', async () => {
  expect(await pronunciation(sayAs('date', '2026-09-21'), 'de')).toBe(await plain('21 September 2026', 'de'))
  expect(await pronunciation(sayAs('ordinal', '3'), 'es')).toBe('tɛɾθɛɾo')
  expect(await pronunciation(sayAs('ordinal', '1'), 'fr-fr')).toBe(await plain('premier', 'fr-fr'))
  expect(read(`<s xml:lang="it-IT">${sayAs('ordinal', '2')}</s>${sayAs('ordinal', '2')}`)).toBe(
    '<speak><s xml:lang="it">2º</s>2nd</speak>',
  )
})

test('an expletive is replaced by a beep', async () => {
  expect(await pronunciation(`What the ${sayAs('expletive', 'heck')}?`)).toBe('wʌt ðə biːp')
})

test.each([
  ['<say-as>1</say-as>', 'needs interpret-as'],
  [sayAs('address', '1 Main St'), 'interpret-as must be one of characters,'],
  [sayAs('fraction', '1/2'), 'interpret-as must be one of'],
  [sayAs('__proto__', '1'), 'interpret-as must be one of'],
  [sayAs('digits', '12a'), "'12a' is not made of digits"],
  [sayAs('digits', ''), 'is not made of digits'],
  [sayAs('cardinal', '1.5'), 'a whole number'],
  [sayAs('ordinal', 'third'), 'a whole number'],
  [sayAs('digits', '12', ' format="x"'), 'format is only for a date'],
  [sayAs('digits', '12', ' detail="1"'), 'is not an attribute'],
  [sayAs('date', '9/21/2026'), 'needs a format'],
  [sayAs('date', '9/21/2026', ' format="dmy"'), 'is not a date'],
  [sayAs('date', '2/30/2026', ' format="mdy"'), 'is not a date'],
  [sayAs('date', '9/21/2026', ' format="ydm"'), 'format must be one of'],
  [sayAs('time', '25:00'), 'is not a time'],
  [sayAs('time', 'noon'), 'is not a time'],
  [sayAs('digits', '<break/>1'), 'may contain only text'],
])('%s is refused', (text, message) => {
  expect(() => read(text)).toThrow(message)
})

test('ordinals and months are refused in languages without them', () => {
  expect(() => read(sayAs('ordinal', '3'), 'de')).toThrow("an ordinal cannot be read in 'de'")
  expect(() => read(sayAs('date', '2026-09-21'), 'lfn')).toThrow("a date cannot be read in 'lfn'")
})

test.each([
  ['ipa', 'pɪˈkɑːn', 'pɪˈkɑːn'],
  ['ipa', 'təˈmeɪtoʊ', 'təˈmeɪɾoʊ'],
  ['x-sampa', 'p@"kA:n', 'pəˈkɑːn'],
  ['x-sampa', 'l{b', 'læb'],
])('a phoneme in %s: %s', async (alphabet, ph, ipa) => {
  const marked = ph.replaceAll('"', '&quot;')
  expect(await pronunciation(`a <phoneme alphabet="${alphabet}" ph="${marked}">word</phoneme><break time="1s"/>`)).toBe(
    `ɐ ${ipa.replace('ˈ', '')}`,
  )
})

test.each([
  ['<phoneme alphabet="ipa" ph="ʙa">x</phoneme>', "'ʙ' is not a supported sound"],
  ['<phoneme alphabet="x-sampa" ph="a;b">x</phoneme>', "';' is not a supported sound"],
  ['<phoneme alphabet="pinyin" ph="ma1">x</phoneme>', 'alphabet must be a value such as ipa'],
  ['<phoneme ph="a">x</phoneme>', 'needs alphabet'],
  ['<phoneme alphabet="ipa">x</phoneme>', 'needs ph'],
  ['<phoneme alphabet="ipa" ph="]] [[">x</phoneme>', 'is not a supported sound'],
  ['<s xml:lang="de"><phoneme alphabet="ipa" ph="a">x</phoneme></s>', "cannot be read in 'de'"],
])('%s is refused', (text, message) => {
  expect(() => read(text)).toThrow(message)
})

/** Returns the engine's pronunciation in IPA, without stress marks. */
async function pronounced(ssml: string, voice: string): Promise<string> {
  const running = promisify(execFile)('espeak-ng', ['-m', '-b', '1', '-q', '--ipa', '-v', voice, '--stdin'])
  running.child.stdin?.end(ssml)
  const { stdout } = await running
  return stdout.replace(/[ˈˌ]/g, '').replace(/\s+/g, ' ').trim()
}
