/** The signed parts of a request, as received. */
export interface Message {
  readonly method: string
  /** Path and query, undecoded, with any prefix. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The canonical request, to be hashed and signed. Only object stores sign paths without normalization. */
export function canonicalRequest(
  { method, target, headers }: Message,
  signedHeaders: readonly string[],
  payloadHash: string,
  isNormalized = true,
): string {
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const query = mark === -1 ? '' : canonicalQuery(target.slice(mark + 1))
  let lines = `${method}\n${canonicalPath(isNormalized ? normalized(path) : path)}\n${query}\n`
  for (const name of signedHeaders) lines += `${name}:${canonicalValue(headers[name])}\n`
  return `${lines}\n${signedHeaders.join(';')}\n${payloadHash}`
}

/** Encodes each segment once more. */
function canonicalPath(path: string): string {
  return plain.test(path) ? path : encode(path).replaceAll('%2F', '/')
}

const plain = /^[\w/.~-]*$/

/** Removes empty segments, `.` and `..`; keeps a trailing slash. */
function normalized(path: string): string {
  if (!/\/(\/|\.|$)/.test(path)) return path
  const segments: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  const inner = segments.join('/')
  return inner === '' ? '/' : `/${inner}${path.endsWith('/') ? '/' : ''}`
}

/** Sorted by name, then value, without the signature itself. */
function canonicalQuery(query: string): string {
  if (query === '') return ''
  const pairs = query.split('&').flatMap((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2)
    return name === '' || name === 'X-Amz-Signature' ? [] : [[recoded(name), recoded(value)] as const]
  })
  return pairs
    .sort(([a, x], [b, y]) => (a === b ? order(x, y) : order(a, b)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function recoded(text: string): string {
  try {
    return encode(decodeURIComponent(text))
  } catch {
    return encode(text) // not UTF-8: signed unchanged
  }
}

/** Percent-encodes all but unreserved characters. */
export const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

function canonicalValue(value: string | readonly string[] | undefined = ''): string {
  const trimmed = (text: string) => (spaces.test(text) ? text.trim().replace(/\s+/g, ' ') : text)
  return typeof value === 'string' ? trimmed(value) : value.map(trimmed).join(',')
}

const spaces = /^\s|\s\s|[\t\n\r]|\s$/
