import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Html, html } from '@icosa/pages'
import type { ApiDocument } from '../../../apps/server/src/front/documents.ts'
import { credentialFlags } from '../../../apps/server/src/front/first-call.ts'
import { highlight } from '../highlight.ts'
import { root } from '../sources.ts'

/** A request and its reply as recorded by `npm run examples`. */
export interface Example {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly reply: {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
  }
}

export type Examples = Readonly<Record<string, Example>>

export const examplesOf = async (service: string): Promise<Examples> =>
  JSON.parse(await readFile(join(root, 'openapi/examples', `${service}.json`), 'utf8'))

const file = /^<\w+ bytes of .*>$/
const isFile = (value: unknown) => typeof value === 'string' && file.test(value)

/** Whether a browser can send it: with a plain credential, and without a file. */
export function isSendable({ api }: ApiDocument, { body }: Example): boolean {
  return api.dialect.authentication.kind !== 'signature' && !isFile(body) && !Object.values(Object(body)).some(isFile)
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The request as a curl command, for a node in development mode. */
export function curlCommand({ api, service }: ApiDocument, method: string, example: Example): string {
  const { path, headers = {}, body } = example
  const type = headers['content-type'] ?? (body === undefined ? undefined : 'application/json')
  const isForm = type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded'
  const sent = Object.entries({ ...headers, ...(type && { 'content-type': type }) })
  const lines = [
    `curl ${method === 'HEAD' ? '-I ' : method === (body === undefined ? 'GET' : 'POST') ? '' : `-X ${method} `}${quoted(`http://127.0.0.1:4000/${service.name}${path}`)}`,
    credentialFlags(api.dialect.authentication, 'icosa-dev-key').trim(),
    ...sent
      .filter(([name]) => !isForm || name !== 'content-type')
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...dataOf(type, body),
  ]
  return lines.filter(Boolean).join(' \\\n  ')
}

function dataOf(type: string | undefined, body: unknown): string[] {
  if (body === undefined) return []
  if (isFile(body)) return ['--data-binary @FILE']
  const flag = type === 'multipart/form-data' ? '-F' : '--data-urlencode'
  if (type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded')
    return Object.entries(Object(body)).map(
      ([name, value]) => `${flag} ${quoted(`${name}=${isFile(value) ? '@FILE' : value}`)}`,
    )
  return [`-d ${quoted(typeof body === 'string' ? body : JSON.stringify(body, null, 2))}`]
}

export function exampleOf(api: ApiDocument, method: string, example: Example): Html {
  const { status, headers = {}, body } = example.reply
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  return html`<h3>Example</h3>
<div class="code"><pre tabindex="0"><code>${highlight('sh', curlCommand(api, method, example))}</code></pre></div>
<p>Reply: ${status}${status >= 400 && '. No request of the recording succeeded; the refusal says why.'}</p>
${(fields.length > 0 || text) && html`<pre tabindex="0" class="printed"><code>${fields}${highlight(typeof body === 'string' ? '' : 'json', text)}</code></pre>`}
`
}
