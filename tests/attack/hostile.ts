import type { RawRequest } from './wire.ts'

/** Almost the size limit of target and headers together, with room for the rest of the request. */
const most = 60_000

const filled = (piece: string, length = most) => piece.repeat(Math.floor(length / piece.length))

/** Targets built from a path's own segments, most likely to make a matcher backtrack. `path` is an OpenAPI path. */
export function hostileTargets(path: string): string[] {
  const segments = path.split('/').slice(1)
  const concrete = segments.map((segment) => segment.replace(/\{[^}]*\}/g, 'a'))
  const words = segments.filter((segment) => !segment.startsWith('{')).map((segment) => segment.replace(/\{.*/, ''))
  const pairs = pairsOf(concrete, segments)
  const whole = `/${concrete.join('/')}`
  const withEach = (value: string) => `/${segments.map((segment) => segment.replace(/\{[^}]*\}/g, value)).join('/')}`
  const parameters = Math.max(1, segments.filter((segment) => segment.includes('{')).length)
  const share = Math.floor((most - whole.length) / parameters)
  return [
    filled(whole),
    `${filled(whole)}/x`,
    // every pair repeated, in the order of the path, then an unknown segment
    `${pairs.map((pair) => filled(pair, most / pairs.length)).join('')}/x`,
    ...pairs.map((pair) => `${whole}${filled(pair, most - whole.length)}/x`),
    ...words.map((word) => `/${filled(word || 'a')}`),
    ...['a', '%2f', '%41', '%', '%ff', ':', '..', ';', '/', '{}', '\xff'].map((piece) =>
      withEach(filled(piece, share)),
    ),
    ...['&', 'a=1&', 'a[b]', '%', '+', '=', '$filter=(', 'X-Amz-Signature=&X-Amz-Credential='].map(
      (piece) => `${whole}?${filled(piece, most - whole.length)}`,
    ),
  ]
}

/** Literal segments with the parameter that follows: `/resourceGroups/a` for `/resourceGroups/{name}`. */
function pairsOf(concrete: readonly string[], segments: readonly string[]): string[] {
  const pairs: string[] = []
  for (let index = 0; index < segments.length; index++) {
    const next = segments[index + 1]
    if (next?.startsWith('{')) pairs.push(`/${concrete[index]}/${concrete[++index]}`)
    else pairs.push(`/${concrete[index]}`)
  }
  return pairs
}

/** Oversized headers in the syntax of every dialect. */
export const hostileHeaders: readonly string[] = [
  `Authorization: ${filled('Credential=')}`,
  `Authorization: AWS4-HMAC-SHA256 ${filled('Credential=a/20261231/')}`,
  `Authorization: AWS4-HMAC-SHA256 Credential=${filled('a')}`,
  `Authorization: AWS4-HMAC-SHA256 Credential=a, SignedHeaders=${filled('a;')}, Signature=${'0'.repeat(64)}`,
  `Authorization: Bearer ${filled('a.')}`,
  `Authorization: Bearer ${filled('a')}.${'a'}.a`,
  `Authorization: Basic ${filled('a')}`,
  `Authorization: HMAC-SHA256 ${filled('Credential=a&')}`,
  `Authorization: HMAC-SHA256 Credential=a&SignedHeaders=${filled('host;')}&Signature=a`,
  `X-Api-Key: ${filled('a')}`,
  `X-Vendor-Api-Secret: ${filled('a')}`,
  `Cookie: ${filled('a=b; ')}`,
  `Cookie: ${filled('=;')}`,
  `X-Forwarded-For: ${filled('1.1.1.1, ')}`,
  `X-Forwarded-Host: ${filled('a.')}`,
  `Content-Type: application/${filled('a+')}json`,
  `Accept: ${filled('text/html;q=0.1,')}`,
  `Accept-Language: ${filled('en;q=0.1,')}`,
  `If-Match: ${filled('"a",')}`,
  `Range: bytes=${filled('0-1,')}`,
  `Date: ${filled('Mon, ')}`,
]

/** Also sends a method that the path does not accept, since a 405 requires matching all paths. */
export function hostileRequests(method: string, path: string): RawRequest[] {
  return hostileTargets(path).flatMap((target) => [
    { method, target },
    { method: method === 'DELETE' ? 'GET' : 'DELETE', target },
  ])
}
