import { type Html, html } from '@icosa/pages'

export interface Shape {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly readOnly?: boolean
}

const nameOf = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1)

/** Short description of a value's type. */
export function kindOf(shape: Shape): Html {
  if (shape.$ref) return html`<a href="#shape-${nameOf(shape.$ref)}">${nameOf(shape.$ref)}</a>`
  if (shape.items) return html`list of ${kindOf(shape.items)}`
  if (shape.enum) return html`${shape.enum.map(String).join(', ')}`
  if (shape.anyOf) return html`${shape.anyOf.map((one, index) => html`${index > 0 && ' or '}${kindOf(one)}`)}`
  return html`${[shape.type ?? 'anything'].flat().join(' or ')}`
}

interface Row {
  readonly name: string
  readonly shape: Shape
  readonly note: string
}

export const table = (caption: string, rows: readonly Row[]) =>
  rows.length > 0 &&
  html`<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table><tbody>${rows.map(
    ({ name, shape, note }) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${note}</td><td>${kindOf(shape)}</td><td>${shape.description}</td></tr>\n`,
  )}</tbody></table></div>`

export function schema(name: string, shape: Shape): Html {
  const rows = Object.entries(shape.properties ?? {}).map(([field, member]) => {
    const notes = [member.readOnly && 'read only', shape.required?.includes(field) && 'required']
    return { name: field, shape: member, note: notes.filter(Boolean).join(', ') }
  })
  return html`<details class="shape" id="shape-${name}"><summary><code>${name}</code></summary><div>
${table(`Fields of ${name}`, rows) || html`<p>${kindOf(shape)}</p>`}</div></details>
`
}
