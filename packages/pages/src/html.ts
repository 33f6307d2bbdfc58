/**
 * Markup as values. Template literals are trusted; interpolated values are escaped. A value where escaping would not
 * suffice, such as an unquoted attribute, is refused when the page is rendered.
 */
const markup = Symbol('markup')
const pair = Symbol('pair')

export interface Html {
  readonly [markup]: string
}

/** One attribute with its leading space, or nothing. */
export interface Attribute {
  readonly [pair]: string
}

export type Value = string | number | undefined | null | false | Html | Attribute | readonly Value[]

/** ``html`<p title="${title}">${text}</p>` ``: escapes values, joins arrays, omits `undefined`, `null`, `false`. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const contexts = contextsOf(strings)
  const parts = values.map((value, i) => write(value, contexts[i] ?? 'text') + (strings[i + 1] ?? ''))
  return { [markup]: (strings[0] ?? '') + parts.join('') }
}

/** Unescaped markup. It accepts no values, so that only our own literals get here. */
export const raw = (strings: TemplateStringsArray): Html => ({ [markup]: strings.join('') })

/** An optional attribute: `true` writes its name alone, `undefined` and `false` nothing. */
export function attribute(name: string, value: string | number | boolean | undefined): Attribute {
  if (value === undefined || value === false) return { [pair]: '' }
  return { [pair]: value === true ? ` ${name}` : ` ${name}="${escaped(String(value))}"` }
}

export const render = (page: Html): string => page[markup]

/** Content of a style or script, which has no escapes: it must not close its element. */
export function verbatim(text: string): Html {
  if (/<\/|<!--/.test(text)) throw new Error('A style or a script cannot contain the end of a tag, or a comment.')
  return { [markup]: text }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

type Context = 'text' | 'tag' | 'quoted'

function write(value: Value, context: Context): string {
  if (value === undefined || value === null || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') {
    if (context === 'tag') throw new Error(`Put quotes around the value '${value}', or use attribute().`)
    return escaped(String(value))
  }
  if (isList(value)) return value.map((item) => write(item, context)).join('')
  if (pair in value) {
    if (context !== 'tag') throw new Error('An attribute is allowed only inside a tag.')
    return value[pair]
  }
  if (context !== 'text') throw new Error('Markup is allowed only between tags.')
  return value[markup]
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value)

/** A template is the same object at every call, so its contexts are computed once. */
const contextCache = new WeakMap<TemplateStringsArray, readonly Context[]>()

function contextsOf(strings: TemplateStringsArray): readonly Context[] {
  const cached = contextCache.get(strings)
  if (cached) return cached
  const contexts: Context[] = []
  let context: Context = 'text'
  let quote = ''
  for (const string of strings) {
    for (const character of string) {
      if (context === 'quoted') {
        if (character === quote) context = 'tag'
      } else if (context === 'tag') {
        if (character === '>') context = 'text'
        if (character === '"' || character === "'") [context, quote] = ['quoted', character]
      } else if (character === '<') context = 'tag'
    }
    contexts.push(context)
  }
  if (context !== 'text') throw new Error(`A template ends inside a tag: ${strings.join('…')}`)
  contextCache.set(strings, contexts)
  return contexts
}
