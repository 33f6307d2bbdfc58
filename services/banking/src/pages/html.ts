/** Markup as a value: what stands in a template is ours, what is put between its tags or quotes is text, and escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | undefined | false | Html

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const written = values.map((value) => {
    if (value === undefined || value === false) return ''
    return value instanceof Html ? value.text : escaped(String(value))
  })
  return new Html(String.raw({ raw: strings }, ...written))
}
