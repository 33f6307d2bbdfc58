import type { RawRequest } from './wire.ts'

/** As much as a request's target and headers may have together, with room for the rest of it. */
const most = 60_000

const filled = (piece: string, length = most) => piece.repeat(Math.floor(length / piece.length))

/** Targets made of a path's own words: what a matcher is most likely to lose itself in. `path` is an OpenAPI path. */
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
    // every pair again and again, in the order of the path, and then what is not there
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

/** `/resourceGroups/a` of `/resourceGroups/{name}`: a word with the parameter behind it. */
function pairsOf(concrete: readonly string[], segments: readonly string[]): string[] {
  const pairs: string[] = []
  for (let index = 0; index < segments.length; index++) {
    const next = segments[index + 1]
    if (next?.startsWith('{')) pairs.push(`/${concrete[index]}/${concrete[++index]}`)
    else pairs.push(`/${concrete[index]}`)
  }
  return pairs
}

/** Headers that say much, in the words of every dialect. */
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

/** The same path, and a method that it does not take: whoever answers 405 looks at all paths. */
export function hostileRequests(method: string, path: string): RawRequest[] {
  return hostileTargets(path).flatMap((target) => [
    { method, target },
    { method: method === 'DELETE' ? 'GET' : 'DELETE', target },
  ])
}
