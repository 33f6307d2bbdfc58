import type { Lacking } from '@icosa/kernel'
import { html, type Page, page } from '@icosa/pages'
import type { ApiDocument } from './documents.ts'
import { firstCall } from './first-call.ts'

export interface Welcome {
  readonly documents: readonly ApiDocument[]
  readonly url: string
  /** The key of development mode, if this node accepts it. */
  readonly key: string | undefined
  readonly hasJournal: boolean
  readonly lacking: Lacking
}

const style = `
body{max-width:60rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{margin-bottom:.25rem}
ul{list-style:none;padding:0;margin-top:1.5rem;display:grid;gap:1rem}
li{padding:1rem;background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);display:grid;gap:.375rem}
h2{font-size:1.0625rem}
pre{overflow-x:auto;padding:.625rem;background:var(--page);border-radius:.375rem;font:.875rem/1.5 ui-monospace,monospace}
`

const serviceItem = (one: ApiDocument, { url, key, lacking }: Welcome) => {
  const lacks = lacking[one.service.name] ?? []
  const call = firstCall(one, url, key ?? '$KEY')
  const { title } = one.document.info
  return html`<li><h2>${title}</h2>
<p class="muted">${Object.values(one.document.paths).flatMap((methods) => Object.keys(methods)).length} operations below <code>/${one.service.name}${one.api.at}</code></p>
${
  lacks.length > 0 &&
  html`<p>Missing on this machine: ${lacks.join(', ')}. <code>icosa doctor</code> shows how to install it.</p>
`
}${call !== undefined && html`<pre tabindex="0" aria-label="A first call of ${title}">${call}</pre>`}
<p>${hasGuide(one) && html`<a href="/docs/guides/${one.service.name}.html">Guide<span class="unseen"> to ${title}</span></a> · `}<a href="/docs/reference/${one.name}.html">Reference of ${title}</a> · <a href="/openapi/${one.name}.json">OpenAPI<span class="unseen"> of ${title}</span></a></p></li>
`
}

/** Neither the platform itself nor the second API of a service has one. */
const hasGuide = ({ api, service }: ApiDocument) => api.name === undefined && service.name !== 'platform'

/** A first call of every service. Also the page at the root of a node without a console. */
export function welcomePage(welcome: Welcome): Page {
  const { documents, key, url, hasJournal } = welcome
  const services = new Set(documents.map(({ service }) => service.name)).size
  return page({
    title: 'Icosa',
    style,
    content: html`<main>
<h1>Icosa</h1>
<p>${services} services run at <code>${url}</code>${
      key === undefined
        ? '. Calls need a credential: set KEY to one that the operator has created with `icosa keys create`.'
        : '. This is development mode: the commands below work as they are, once you have filled in the values in capitals.'
    }</p>
<p><a href="/console">Console</a> · ${hasJournal && html`<a href="/journal">Mail, calls and events</a> · `}<a href="/docs/guides/index.html">Guides</a> · <a href="/docs">Documentation</a> · <a href="/openapi.json">All as one OpenAPI document</a></p>
<ul>
${documents.map((document) => serviceItem(document, welcome))}</ul>
</main>`,
  })
}
