import { expect, test } from 'vitest'
import { group, SettingsError } from './group.ts'
import { boolean, duration, json, list, matching, oneOf, Refusal, rate, text, url, wholeNumber } from './kinds.ts'
import { setting } from './setting.ts'
import { unknownVariables } from './unknown.ts'

const broker = url({ schemes: ['nats:', 'amqp:'], is: 'the address of a broker', example: 'nats://127.0.0.1:4222' })
const settings = group(
  {
    port: setting('ICOSA_PORT', wholeNumber({ from: 1, to: 65_535 }), { default: '4000', meaning: 'A port.' }),
    mail: {
      server: setting('ICOSA_SMTP_URL', broker, { secret: true, meaning: 'A server.' }),
      isOpen: setting('ICOSA_OPEN', boolean, { default: 'false', development: 'true', meaning: 'Whether it is open.' }),
    },
  },
  { ICOSA_OLD: 'set ICOSA_PORT.' },
)

test('reads variables, with defaults for the rest, which may differ in development mode', () => {
  expect(settings.read({})).toEqual({ port: 4_000, mail: { server: undefined, isOpen: false } })
  expect(settings.read({}, { development: true }).mail.isOpen).toBe(true)
  expect(settings.read({ ICOSA_OPEN: 'false' }, { development: true }).mail.isOpen).toBe(false)
  expect(settings.read({ ICOSA_PORT: '80', ICOSA_SMTP_URL: 'nats://a', ICOSA_OPEN: '' })).toEqual({
    port: 80,
    mail: { server: 'nats://a', isOpen: false },
  })
})

test('values have the types of their settings', () => {
  const { port, mail } = settings.read({})
  const isNumber: number = port
  const maybe: string | undefined = mail.server
  // @ts-expect-error it is optional
  const required: string = mail.server
  expect([isNumber, maybe, required]).toEqual([4_000, undefined, undefined])
})

test('reports all problems together, by name, without secrets', () => {
  const env = { ICOSA_PORT: '70000', ICOSA_SMTP_URL: 'https://me:hidden@host', ICOSA_OPEN: 'yes', ICOSA_OLD: '1' }
  const problems = [
    'ICOSA_OLD was removed: set ICOSA_PORT.',
    "ICOSA_PORT is '70000': set it to a whole number from 1 to 65535, such as 4000.",
    'ICOSA_SMTP_URL cannot be used (its value is a secret, so it is not shown): set it to the address of a broker, such as nats://127.0.0.1:4222.',
    "ICOSA_OPEN is 'yes': set it to true or false.",
  ]
  expect(settings.problems(env)).toEqual(problems)
  expect(() => settings.read(env)).toThrow(new SettingsError(problems))
  expect(new SettingsError(problems).message).toBe(['4 settings cannot be used:', ...problems].join('\n  '))
})

test('any error of a kind is a problem of the value', () => {
  const decoded = matching(/^.*$/, { is: 'an encoded text', example: 'a%20b' }, ([all]) => decodeURIComponent(all))
  const encoded = group({ name: setting('ICOSA_NAME', decoded, { meaning: 'A name.' }) })
  expect(encoded.problems({ ICOSA_NAME: '%zz' })).toEqual([
    "ICOSA_NAME is '%zz': set it to an encoded text, such as a%20b.",
  ])
})

test('reports unknown variables, with suggestions', () => {
  const env = { ICOSA_SMPT_URL: 'x', ICOSA_COLOUR_OF_THE_SKY: 'blue', ICOSA_PORT: '1', HOME: '/', ICOSA_OLD: '' }
  expect(unknownVariables(env, 'ICOSA_', [settings])).toEqual([
    'ICOSA_SMPT_URL is not a setting: did you mean ICOSA_SMTP_URL?',
    'ICOSA_COLOUR_OF_THE_SKY is not a setting, and nothing reads it.',
  ])
})

const words = { is: 'such a thing', example: 'x' }
const object = json(words, (value) => {
  if (typeof value !== 'object') throw new Refusal('it is not an object')
  return value
})

test.each([
  [text(words), 'any', 'any'],
  [wholeNumber({ unit: 'minutes', times: 60_000 }), '2', 120_000],
  [boolean, 'true', true],
  [oneOf('a', 'b'), 'b', 'b'],
  [list(wholeNumber()), '1, 2,,3', [1, 2, 3]],
  [object, '{"a":1}', { a: 1 }],
  [duration, '15m', 900_000],
  [rate, '5', { perSecond: 5, burst: 5 }],
  [rate, '5/9', { perSecond: 5, burst: 9 }],
  [matching(/^(\d+)-(\d+)$/, words, ([, first, last]) => [first, last]), '1-2', ['1', '2']],
])('%j reads %s', (kind, text, value) => {
  expect(kind.read(text)).toEqual(value)
})

test.each([
  [wholeNumber(), '1.5'],
  [wholeNumber(), '-1'],
  [wholeNumber({ to: 5 }), '6'],
  [boolean, '1'],
  [oneOf('a', 'b'), 'c'],
  [list(wholeNumber()), '1,x'],
  [object, '7'],
  [object, '{'],
  [duration, 'soon'],
  [rate, '0'],
  [broker, 'ftp://x'],
])('%j refuses %s', (kind, text) => {
  expect(() => kind.read(text)).toThrow(Refusal)
})
