import { invalid } from '@icosa/kernel'
import { voiceOf } from '../voices.ts'
import { type Element, escaped, MarkupError, type Node, readMarkup } from './markup.ts'
import { alphabets, phonemesOf } from './phonemes.ts'
import { sayAs } from './say-as.ts'

/** Returns an error message if a value is invalid. */
type Check = (value: string) => string | undefined

const fits =
  (pattern: RegExp, example: string): Check =>
  (value) =>
    pattern.test(value) ? undefined : `must be a value such as ${example}`

const free: Check = () => undefined
const isLanguage: Check = (value) => (voiceOf(value) ? undefined : 'is not a supported language')
const maxBreakMs = 10_000
const isPause: Check = (value) => {
  const [, number, unit] = /^\+?(\d{1,6}(?:\.\d{1,3})?)(ms|s)$/.exec(value) ?? []
  if (number === undefined) return 'must be a duration such as 500ms or 2s'
  return Number(number) * (unit === 's' ? 1_000 : 1) > maxBreakMs ? 'is more than 10s' : undefined
}
const level = (...words: string[]) => fits(new RegExp(`^(${words.join('|')})$`), words[0] ?? '')
/** Words, or an amount in one of these units or none; the engine ignores others. */
const amount = (words: string, units: string, example: string) =>
  fits(new RegExp(`^(${words}|default|[+-]?\\d{1,3}(\\.\\d{1,2})?(${units})?)$`), example)
const pitch = amount('x-low|low|medium|high|x-high', '%|st|Hz', 'high or +10%')

/** Supported elements and attributes. Everything else is refused by name. */
const elements: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  speak: { version: free, xmlns: free, 'xml:lang': isLanguage },
  p: { 'xml:lang': isLanguage },
  s: { 'xml:lang': isLanguage },
  break: { time: isPause, strength: level('medium', 'none', 'x-weak', 'weak', 'strong', 'x-strong') },
  'say-as': { 'interpret-as': free, format: free },
  prosody: {
    rate: amount('x-slow|slow|medium|fast|x-fast', '%', 'slow or 80%'),
    pitch,
    range: pitch,
    volume: amount('silent|x-soft|soft|medium|loud|x-loud', '%|dB', 'loud or +6dB'),
  },
  emphasis: { level: level('moderate', 'none', 'reduced', 'strong') },
  phoneme: { alphabet: level(...Object.keys(alphabets)), ph: free },
  sub: { alias: free },
}

/** Required attributes. */
const required: Readonly<Record<string, readonly string[]>> = {
  'say-as': ['interpret-as'],
  phoneme: ['alphabet', 'ph'],
  sub: ['alias'],
}

/** Parses and rewrites SSML, so that the engine only sees supported markup. */
export function ssmlOf(text: string, at: string, language: string): string {
  try {
    const root = readMarkup(text)
    if (root.name !== 'speak') invalid([{ at, message: 'must begin with <speak>' }])
    return rewrite(root, { at, language })
  } catch (error) {
    if (error instanceof MarkupError) invalid([{ at, message: `is not well-formed: ${error.message}` }])
    throw error
  }
}

/** Parses text that may contain elements, with or without `<speak>`. */
export function instructionsOf(text: string, at: string, language: string): string {
  return ssmlOf(/^\s*<(\?xml|speak[\s>])/.test(text) ? text : `<speak>${text}</speak>`, at, language)
}

export const plainOf = (text: string) => `<speak>${spoken(text)}</speak>`

interface Place {
  readonly at: string
  /** The engine's language of the parent. */
  readonly language: string
}

function rewrite(node: Node, { at, language: parentLanguage }: Place): string {
  if (typeof node === 'string') return spoken(node)
  const { name, attributes, children } = node
  const checked = attributesOf(node, at)
  const language = voiceOf(attributes['xml:lang'] ?? '') ?? parentLanguage
  if (name === 'say-as') return interpreted(node, { at, language })
  if (name === 'phoneme') return pronounced(node, { at, language })
  return `<${name}${checked}>${children.map((child) => rewrite(child, { at, language })).join('')}</${name}>`
}

function interpreted({ attributes, children }: Element, { at, language }: Place): string {
  const { 'interpret-as': how = '', format } = attributes
  const refuse = (reason: string): never => invalid([{ at, message: `has <say-as interpret-as="${how}">: ${reason}` }])
  if (children.some((child) => typeof child !== 'string')) refuse('it may contain only text')
  return sayAs(children.join(''), how, { language, format, refuse })
}

function pronounced({ attributes: { alphabet = '', ph = '' } }: Element, { at, language }: Place): string {
  const refuse = (reason: string): never => invalid([{ at, message: `has <phoneme ph="${ph}">: ${reason}` }])
  if (!language.startsWith('en')) refuse(`a phoneme cannot be read in '${language}', only in English`)
  return phonemesOf(ph, alphabets[alphabet] ?? {}, (sound) =>
    refuse(`'${sound}' is not a supported sound of English in ${alphabet}`),
  )
}

function attributesOf({ name, attributes }: Element, at: string): string {
  const supported = Object.hasOwn(elements, name) ? elements[name] : undefined
  if (!supported)
    invalid([{ at, message: `has <${name}>, which is not supported: use ${Object.keys(elements).join(', ')}` }])
  const lacking = required[name]?.find((key) => !attributes[key])
  if (lacking) invalid([{ at, message: `has <${name}>, which needs ${lacking}` }])
  return Object.entries(attributes)
    .map(([key, value]) => {
      const check = Object.hasOwn(supported, key) ? supported[key] : undefined
      const problem = check ? check(value) : 'is not an attribute of it'
      if (problem) invalid([{ at, message: `has <${name} ${key}="${value}">: ${key} ${problem}` }])
      return ` ${key}="${escaped(translated(key, value))}"`
    })
    .join('')
}

/** Converts a language to the engine's name for it. */
const translated = (key: string, value: string) => (key === 'xml:lang' ? (voiceOf(value) ?? value) : value)

/** Removes the engine's phoneme brackets and commands. */
function spoken(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
  return escaped(text.replaceAll('[[', '[ [').replace(/[\u0000-\u001f\u007f]/g, ' '))
}
