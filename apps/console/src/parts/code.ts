import type { Found } from '../data/catalogue.ts'
import { baseUrl, defaultQuery, type Parts } from '../data/request.ts'

const filled = (path: string, params: Readonly<Record<string, string>>) =>
  path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? name.toUpperCase()))

interface Call {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string | undefined
}

/** The parts of a request as text. The credential is a variable, so that copied code contains no secret. */
function callOf(found: Found, service: string, { params = {}, query, headers = {}, body }: Parts): Call {
  const { api, operation } = found
  const all = Object.entries({ ...defaultQuery(found), ...query }).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(all.map(([name, value]) => [name, String(value)])).toString()
  const { kind, header = '' } = api.authentication
  const credentials = {
    key: [header, '$KEY'],
    bearer: ['Authorization', 'Bearer $KEY'],
    basic: ['Authorization', 'Basic $KEY'],
  } as const
  return {
    method: operation.method,
    url: `${baseUrl(service)}${filled(operation.path, params)}${search && `?${search}`}`,
    headers: [
      ...(kind in credentials ? [credentials[kind as keyof typeof credentials]] : []),
      ...Object.entries(headers),
    ],
    body: body === undefined || operation.body?.mediaTypes[0] !== 'application/json' ? undefined : JSON.stringify(body),
  }
}

/** The start of a placeholder in generated code. */
const dollar = '$'

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function curl({ method, url, headers, body }: Call, { api }: Found): string {
  const { kind, region, service } = api.authentication
  const flags = [
    ...(kind === 'signature' ? [`--aws-sigv4 aws:amz:${region}:${service} --user "$KEY_ID:$SECRET"`] : []),
    ...headers.map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body ? [`-H 'content-type: application/json'`, `-d ${quoted(body)}`] : []),
  ]
  return ['curl -s', method === 'GET' ? '' : `-X ${method}`, ...flags, quoted(url)].filter(Boolean).join(' \\\n  ')
}

function typescript({ method, url, headers: all, body }: Call): string {
  const headers = [
    ...all.map(([name, value]) => `'${name}': \`${value.replace('$KEY', `${dollar}{process.env.KEY}`)}\``),
    ...(body ? [`'content-type': 'application/json'`] : []),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
    ...(body ? [`body: JSON.stringify(${body})`] : []),
  ]
  return `const response = await fetch(${JSON.stringify(url)}, {\n  ${options.join(',\n  ')},\n})\nconsole.log(await response.json())`
}

function python({ method, url, headers, body }: Call): string {
  const values = headers.map(([name, value]) => `"${name}": f'${value.replace('$KEY', '{os.environ["KEY"]}')}'`)
  const options = [
    JSON.stringify(url),
    ...(values.length > 0 ? [`headers={${values.join(', ')}}`] : []),
    ...(body
      ? [
          `json=${body
            .replace(/\btrue\b/g, 'True')
            .replace(/\bfalse\b/g, 'False')
            .replace(/\bnull\b/g, 'None')}`,
        ]
      : []),
  ]
  return `import os, requests\nresponse = requests.${method.toLowerCase()}(\n    ${options.join(',\n    ')},\n)\nprint(response.json())`
}

/** A request as curl, TypeScript and Python. Signed requests need an SDK, except with curl. */
export function codeOf(found: Found, service: string, parts: Parts): Readonly<Record<string, string>> {
  const call = callOf(found, service, parts)
  if (found.api.authentication.kind === 'signature') return { curl: curl(call, found) }
  return { curl: curl(call, found), TypeScript: typescript(call), Python: python(call) }
}
