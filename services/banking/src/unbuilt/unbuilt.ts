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

function failureOf(operation: string): Failure {
  try {
    return notSupported(unsupported.operations, operation)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}
