import { attribute, type Html, html } from '@icosa/pages'
import type { ApiDocument } from '../../../apps/server/src/front/documents.ts'
import type { Section } from '../markdown.ts'
import { type Examples, exampleOf, isSendable } from './example.ts'
import { kindOf, type Shape, schema, table } from './shapes.ts'

interface Described {
  readonly operationId: string
  readonly tags: readonly [string]
  readonly summary?: string
  readonly 'x-icosa-permission': string
  readonly 'x-icosa-extension'?: true
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

interface Listed {
  readonly method: string
  readonly path: string
  readonly described: Described
}

export const referenceStyle = `
.reference section{margin-bottom:2rem}
details.operation,details.shape{border-bottom:1px solid var(--line)}
summary{padding:.5rem 0;cursor:pointer}
summary code{font-weight:600}
details.operation>div,details.shape>div{padding:0 0 1rem;display:grid;grid-template-columns:minmax(0,1fr);gap:.75rem}
details.operation>div>button{justify-self:start}
pre.printed{max-height:26rem;overflow:auto}
.tools{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center;margin:1rem 0}
.tools input{margin-inline-start:.375rem}
`

/** HEAD is that of a GET, whose reference is enough. */
const operationsIn = ({ document, service }: ApiDocument): Listed[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method, described]) => ({
        method: method.toUpperCase(),
        path: `/${service.name}${path}`,
        described: described as Described,
      }))
      .filter(({ described }) => !described.operationId.endsWith('_Head')),
  )

function operation(api: ApiDocument, { method, path, described }: Listed, examples: Examples): Html {
  const { operationId: id, summary, parameters, requestBody, responses } = described
  const replies = Object.entries(responses).filter(([status]) => /^[123]/.test(status))
  const example = examples[id]
  if (!example) throw new Error(`${id} has no example: run \`npm run examples\`.`)
  const rows = parameters.map(({ name, in: location, required, schema: shape }) => ({
    name,
    shape,
    note: `${location}${required ? ', required' : ''}`,
  }))
  const canSend = isSendable(api, example)
  return html`<details class="operation" id="${id}" data-method="${method}"${attribute('data-send', canSend)}><summary><code>${method} ${path}</code> <span class="muted">${summary}</span></summary>
<div>
${table(`Parameters of ${id}`, rows)}
${Object.entries(requestBody?.content ?? {}).map(([type, { schema: shape }]) => html`<p>Body: ${type}${shape && html`, ${kindOf(shape)}`}</p>`)}
${replies.map(
  ([status, { description, content }]) =>
    html`<p>${status}: ${Object.values(content ?? {}).flatMap(({ schema: shape }) => (shape ? [kindOf(shape)] : []))[0] ?? description}</p>`,
)}
<p class="muted">Operation <code>${id}</code>, permission <code>${described['x-icosa-permission']}</code>${described['x-icosa-extension'] && ', not in the original specification'}</p>
${exampleOf(api, method, example)}</div></details>
`
}

/** The reference of an API: operations by resource, then the shapes of their values. */
export function referenceOf(api: ApiDocument, examples: Examples) {
  const { name, service, document } = api
  const operations = operationsIn(api)
  const groups = Object.entries(Object.groupBy(operations, ({ described }) => described.tags[0]))
  const section = ([
    tag,
    of = [],
  ]: (typeof groups)[number]) => html`<section><h2 id="group-${tag}"><a href="#group-${tag}">${tag}</a></h2>
${of.map((one) => operation(api, one, examples))}</section>
`
  const title = `${document.info.title}: API reference`
  const shapes = Object.entries(document.components.schemas as Record<string, Shape>)
  const content = html`<h1>${title}</h1>
<p class="muted">Version ${document.info.version}, ${operations.length} operations. A node serves this as an OpenAPI 3.1 document at <code>/openapi/${name}.json</code>.</p>
<p>Requests and replies are recordings of the tests. Ids, times and secrets in them are placeholders: use those of your own resources. Long lists and texts are cut, which an ellipsis shows. The commands are for <code>icosa dev</code> and its development key.</p>
<div class="reference" data-service="${service.name}" data-examples="${service.name}.json"${credentialOf(api)}>
${groups.map(section)}</div>
<h2 id="shapes">Shapes</h2>
${shapes.map(([one, shape]) => schema(one, shape))}`
  const sections = operations.map(({ method, path, described }): Section => {
    const { operationId: id, summary = '' } = described
    return { id, title: id, text: `${method} ${path} ${summary}` }
  })
  return { title, content: [content], sections: [{ id: '', title, text: document.info.title }, ...sections] }
}

/** How a script sends a key: in which header, after which scheme. */
function credentialOf({ api }: ApiDocument) {
  const { authentication } = api.dialect
  const scheme = { bearer: 'Bearer', basic: 'Basic', key: '', none: '', signature: '' }[authentication.kind]
  const header = authentication.kind === 'key' ? authentication.header : scheme && 'authorization'
  return [attribute('data-header', header || false), attribute('data-scheme', scheme || false)]
}
