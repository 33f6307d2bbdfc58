/** HTML that is safe to put together: texts are escaped, what is marked as HTML is not. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | null | undefined | false | readonly Part[]

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function shown(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(shown).join('')
  return String(part).replace(/[&<>"']/g, (letter) => escapes[letter] as string)
}

export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, index) => text + (index < parts.length ? shown(parts[index]) : '')).join(''))
}
