/** The parts of a request that a signature covers, as they were on the wire. */
export interface Message {
  readonly method: string
  /** Path and query, undecoded, with whatever prefix the service has here. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The text that is hashed and signed. Only object stores sign a path that is not normalized. */
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

/** Each segment encoded once more than it came. */
function canonicalPath(path: string): string {
  return plain.test(path) ? path : encode(path).replaceAll('%2F', '/')
}

const plain = /^[\w/.~-]*$/

/** Without empty segments, `.` and `..`; the last slash stays. */
function normalized(path: string): string {
  if (!/\/(\/|\.|$)/.test(path)) return path
  const kept: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  const inner = kept.join('/')
  return inner === '' ? '/' : `/${inner}${path.endsWith('/') ? '/' : ''}`
}

/** Sorted by name, then value; the signature itself cannot be among what it signs. */
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
    return encode(text) // not UTF-8: it signs as it stands
  }
}

/** Percent-encoding in which only unreserved characters stay. */
export const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

function canonicalValue(value: string | readonly string[] | undefined = ''): string {
  const one = (text: string) => (spaces.test(text) ? text.trim().replace(/\s+/g, ' ') : text)
  return typeof value === 'string' ? one(value) : value.map(one).join(',')
}

const spaces = /^\s|\s\s|[\t\n\r]|\s$/
