import { Failure, type Incoming } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { originalName } from '../names.ts'
import { unsupported } from '../unsupported.ts'
import { unbuiltPaths } from './operations.ts'

const segmentsOf = (path: string) => path.replace(/\/$/, '').split('/')

let cached:
  | { readonly segments: readonly string[]; readonly methods: readonly string[]; readonly path: string }[]
  | undefined

/** In both spellings, computed on first use. */
function allUnbuilt() {
  cached ??= Object.entries(unbuiltPaths).flatMap(([path, methods]) =>
    [...new Set([path, originalName(path)])].map((spelling) => ({
      segments: segmentsOf(spelling),
      methods: methods.split(' '),
      path,
    })),
  )
  return cached
}

/** Returns a 501 failure if the request is for an unbuilt operation of the original. */
export function unbuiltOperation({ method, url }: Incoming): Failure | undefined {
  const [, path = ''] = /\/banking(?:\/v1)?(\/.*)$/.exec(url.pathname) ?? []
  const requested = segmentsOf(path)
  const operation = allUnbuilt().find(
    ({ segments, methods }) =>
      segments.length === requested.length &&
      methods.includes(method) &&
      segments.every((segment, nth) => segment.startsWith('{') || segment === requested[nth]),
  )
  return operation && failureOf(`${method} ${operation.path}`)
}

type Refusal = (operation: string) => never

/** The first that matches tells why an operation is not supported. */
const reasons: readonly (readonly [RegExp, Refusal])[] = [
  [/transferprovider|currency-c/, (operation) => notSupported(unsupported.currencies, operation)],
  [/payment-service-provider/, (operation) => notSupported(unsupported.licences, operation)],
  [/whitelist/, (operation) => notSupported(unsupported.whitelists, operation)],
  [
    /sofort|token-qr|translink|switch-service|card-credit|registry-settlement/,
    (operation) => notSupported(unsupported.schemes, operation),
  ],
  [/insight|\/limit|export-|\/event\//, (operation) => notSupported(unsupported.reports, operation)],
  [
    /reward|chat-|announcement|tree-progress|challenge-|certificate-|place-lookup|server-error/,
    (operation) => notSupported(unsupported.app, operation),
  ],
  [/./, (operation) => notSupported(unsupported.operations, operation)],
]

function failureOf(operation: string): Failure {
  try {
    const [, refuse] = reasons.find(([path]) => path.test(operation)) as readonly [RegExp, Refusal]
    return refuse(operation)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}
