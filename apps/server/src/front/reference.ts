import { type Html, html, type Page, page } from '@icosa/pages'
import type { ApiDocument } from './documents.ts'

interface Described {
  readonly operationId: string
  readonly summary?: string
  readonly 'x-icosa-permission': string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Shape
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Shape }>> }
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: Readonly<Record<string, { schema?: Shape }>> }>
  >
}

interface Shape {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly readOnly?: boolean
}

const style = `
body{max-width:64rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h2{margin:2rem 0 .5rem;font-size:1.125rem}
details{border-bottom:1px solid var(--line)}
summary{padding:.5rem 0;cursor:pointer}
summary code{font-weight:600}
details>div{padding:0 0 1rem 1rem;display:grid;gap:.5rem}
code{font-family:ui-monospace,monospace;font-size:.9375rem}
`

const nameOf = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1)

/** Short description of a value's type. */
function kindOf(shape: Shape): Html {
  if (shape.$ref) return html`<a href="#${nameOf(shape.$ref)}">${nameOf(shape.$ref)}</a>`
  if (shape.items) return html`list of ${kindOf(shape.items)}`
  if (shape.enum) return html`${shape.enum.map(String).join(', ')}`
  if (shape.anyOf) return html`${shape.anyOf.map((one, index) => html`${index > 0 && ' or '}${kindOf(one)}`)}`
  return html`${[shape.type ?? 'anything'].flat().join(' or ')}`
}

const row = (name: string, shape: Shape, where: string) =>
  html`<tr><th scope="row"><code>${name}</code></th><td>${where}</td><td>${kindOf(shape)}</td><td>${shape.description}</td></tr>
`

const table = (caption: string, rows: readonly Html[]) =>
  rows.length > 0 &&
  html`<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table><tbody>${rows}</tbody></table></div>`

function operation(method: string, path: string, described: Described): Html {
  const body = Object.entries(described.requestBody?.content ?? {})
  const replies = Object.entries(described.responses).filter(([status]) => /^[123]/.test(status))
  return html`<details id="${described.operationId}"><summary><code>${method.toUpperCase()} ${path}</code> <span class="muted">${described.summary}</span></summary>
<div>
${table(
  `Parameters of ${described.operationId}`,
  described.parameters.map(({ name, in: where, required, schema }) =>
    row(name, schema, `${where}${required ? ', required' : ''}`),
  ),
)}
${body.map(([type, { schema }]) => html`<p>Body: ${type}${schema && html`, ${kindOf(schema)}`}</p>`)}
${replies.map(
  ([status, { description, content }]) =>
    html`<p>${status}: ${Object.values(content ?? {}).flatMap(({ schema }) => (schema ? [kindOf(schema)] : []))[0] ?? description}</p>`,
)}
<p class="muted">Permission: <code>${described['x-icosa-permission']}</code></p>
</div></details>
`
}

const schema = (name: string, shape: Shape) => html`<details id="${name}"><summary><code>${name}</code></summary><div>
${
  table(
    `Fields of ${name}`,
    Object.entries(shape.properties ?? {}).map(([field, one]) =>
      row(
        field,
        one,
        [one.readOnly && 'read only', shape.required?.includes(field) && 'required'].filter(Boolean).join(', '),
      ),
    ),
  ) || html`<p>${kindOf(shape)}</p>`
}</div></details>
`

/** Opens the `<details>` element that the URL's fragment names. */
const script = `
const open = () => { const one = document.getElementById(decodeURIComponent(location.hash.slice(1))); if (one) { one.open = true; one.scrollIntoView() } }
addEventListener('hashchange', open)
open()
`

/** Renders an OpenAPI document as a page. */
export function referencePage({ name, service, document }: ApiDocument): Page {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => operation(method, `/${service.name}${path}`, one as Described)),
  )
  const schemas = Object.entries(document.components.schemas as Record<string, Shape>)
  return page({
    title: `${document.info.title} – Icosa`,
    style,
    script,
    content: html`<main><p><a href="/">All services</a></p>
<h1>${document.info.title}</h1>
<p class="muted">Version ${document.info.version}, ${operations.length} operations. <a href="/openapi/${name}.json">OpenAPI 3.1 document</a></p>
<h2>Operations</h2>
${operations}
<h2>Shapes</h2>
${schemas.map(([one, shape]) => schema(one, shape))}
</main>`,
  })
}
