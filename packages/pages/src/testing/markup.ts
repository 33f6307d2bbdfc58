/** Strict parser for our pages: lower-case names, double quotes, everything else escaped. */

export interface Tag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

const tag = /<(\/?[a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/g

/** Returns the tags in order. Fails for anything but tags and escaped text. */
export function tagsOf(page: string): readonly Tag[] {
  const text = page.replace(/^<!doctype html>/, '').replaceAll(tag, '')
  const [stray] = text.match(/.{0,20}[<>"'].{0,20}/s) ?? []
  if (stray !== undefined) throw new Error(`Neither a tag nor escaped text: ${stray}`)
  return [...page.matchAll(tag)].map(([, name = '', attributes = '']) => ({
    name,
    attributes: attributesOf(attributes),
  }))
}

function attributesOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [
    name,
    plain(value),
  ])
  return Object.fromEntries(pairs)
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const plain = (text: string) => text.replace(/&([a-z]+|#39);/g, (whole, name: string) => entities[name] ?? whole)

/** Elements and the names of their attributes: escaped text can never change them. */
export function skeletonOf(page: string): readonly string[] {
  return tagsOf(page).map(({ name, attributes }) => [name, ...Object.keys(attributes)].join(' '))
}

/** The visible text. */
export const textOf = (page: string): string =>
  plain(page.slice(page.indexOf('<body>')).replaceAll(tag, ' '))
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,:)])/g, '')
    .trim()

/** Each form with the names of its fields. */
export function formsOf(page: string): readonly { readonly action: string; readonly fields: readonly string[] }[] {
  const forms: { action: string; fields: string[] }[] = []
  for (const { name, attributes } of tagsOf(page)) {
    if (name === 'form') forms.push({ action: attributes.action ?? '', fields: [] })
    if (attributes.name !== undefined && name !== 'meta') forms.at(-1)?.fields.push(attributes.name)
  }
  return forms
}
