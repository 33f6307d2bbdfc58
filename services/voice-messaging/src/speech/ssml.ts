import { invalid } from '@icosa/kernel'
import { type Element, escaped, MarkupError, type Node, readMarkup } from './markup.ts'
import { voiceOf } from './voices.ts'

/** Says what is wrong with a value, or nothing. */
type Check = (value: string) => string | undefined

const fits =
  (pattern: RegExp, such: string): Check =>
  (value) =>
    pattern.test(value) ? undefined : `must be such as ${such}`

const free: Check = () => undefined
const isLanguage: Check = (value) => (voiceOf(value) ? undefined : 'is a language that nobody speaks here')
const longestBreakMs = 10_000
const isPause: Check = (value) => {
  const [, number, unit] = /^\+?(\d{1,6}(?:\.\d{1,3})?)(ms|s)$/.exec(value) ?? []
  if (number === undefined) return 'must be such as 500ms or 2s'
  return Number(number) * (unit === 's' ? 1_000 : 1) > longestBreakMs ? 'is more than 10s' : undefined
}
const level = (...words: string[]) => fits(new RegExp(`^(${words.join('|')})$`), words[0] ?? '')
const amount = '|[+-]?\\d{1,3}(\\.\\d{1,2})?(%|st|Hz|dB)?'

/** What may be written, with its attributes. Everything else is refused by name. */
const elements: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  speak: { version: free, xmlns: free, 'xml:lang': isLanguage },
  p: { 'xml:lang': isLanguage },
  s: { 'xml:lang': isLanguage },
  break: { time: isPause, strength: level('medium', 'none', 'x-weak', 'weak', 'strong', 'x-strong') },
  'say-as': { 'interpret-as': fits(/^[a-z-]{1,20}$/, 'digits'), format: free, detail: free },
  prosody: {
    rate: fits(new RegExp(`^(x-slow|slow|medium|fast|x-fast|default${amount})$`), 'slow or 80%'),
    pitch: fits(new RegExp(`^(x-low|low|medium|high|x-high|default${amount})$`), 'high or +10%'),
    range: fits(new RegExp(`^(x-low|low|medium|high|x-high|default${amount})$`), 'high or +10%'),
    volume: fits(new RegExp(`^(silent|x-soft|soft|medium|loud|x-loud|default${amount})$`), 'loud or +6dB'),
  },
  emphasis: { level: level('moderate', 'none', 'reduced', 'strong') },
  phoneme: { alphabet: free, ph: free },
  sub: { alias: free },
}

/** Words that the engine knows under another name. */
const interpretations: Readonly<Record<string, string>> = { 'spell-out': 'characters', cardinal: 'number' }

/** The markup for the engine, written anew from what was read: it gets nothing that is not known. */
export function ssmlOf(text: string, at: string): string {
  try {
    const root = readMarkup(text)
    if (root.name !== 'speak') invalid([{ at, message: 'must begin with <speak>' }])
    return written(root, at)
  } catch (error) {
    if (error instanceof MarkupError) invalid([{ at, message: `is not well-formed: ${error.message}` }])
    throw error
  }
}

/** Text in which elements may stand, with or without `<speak>` around it. */
export function instructionsOf(text: string, at: string): string {
  return ssmlOf(/^\s*<(\?xml|speak[\s>])/.test(text) ? text : `<speak>${text}</speak>`, at)
}

export const plainOf = (text: string) => `<speak>${spoken(text)}</speak>`

function written(node: Node, at: string): string {
  if (typeof node === 'string') return spoken(node)
  const { name, children } = node
  const attributes = attributesOf(node, at)
  const content = children.map((child) => written(child, at)).join('')
  // The engine cannot read other alphabets than its own: it reads the text.
  return name === 'phoneme' ? content : `<${name}${attributes}>${content}</${name}>`
}

function attributesOf({ name, attributes }: Element, at: string): string {
  const known = Object.hasOwn(elements, name) ? elements[name] : undefined
  if (!known)
    invalid([{ at, message: `has <${name}>, which is not supported: use ${Object.keys(elements).join(', ')}` }])
  return Object.entries(attributes)
    .map(([key, value]) => {
      const check = Object.hasOwn(known, key) ? known[key] : undefined
      const wrong = check ? check(value) : 'is not an attribute of it'
      if (wrong) invalid([{ at, message: `has <${name} ${key}="${value}">: ${key} ${wrong}` }])
      return ` ${key}="${escaped(translated(key, value))}"`
    })
    .join('')
}

function translated(key: string, value: string): string {
  if (key === 'xml:lang') return voiceOf(value) ?? value
  return key === 'interpret-as' ? (interpretations[value] ?? value) : value
}

/** Without what the engine would take for its own phonemes, or for commands. */
function spoken(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  return escaped(text.replaceAll('[[', '[ [').replace(/[\u0000-\u001f\u007f]/g, ' '))
}
