import { Failure, type Incoming } from '@icosa/kernel'
import { notBuilt } from '@icosa/module/not-built'
import { originalName } from '../names.ts'
import { unsupported } from '../unsupported.ts'
import { unbuiltPaths } from './operations.ts'

const segmentsOf = (path: string) => path.replace(/\/$/, '').split('/')

let known:
  | { readonly segments: readonly string[]; readonly methods: readonly string[]; readonly path: string }[]
  | undefined

/** In both spellings; made when the first request for none of our operations comes. */
function allUnbuilt() {
  known ??= Object.entries(unbuiltPaths).flatMap(([path, methods]) =>
    [...new Set([path, originalName(path)])].map((one) => ({
      segments: segmentsOf(one),
      methods: methods.split(' '),
      path,
    })),
  )
  return known
}

/** The failure that names what is not built, if a request for no operation of ours is for one of the original's. */
export function unbuiltOperation({ method, url }: Incoming): Failure | undefined {
  const [, path = ''] = /\/banking(?:\/v1)?(\/.*)$/.exec(url.pathname) ?? []
  const asked = segmentsOf(path)
  const found = allUnbuilt().find(
    ({ segments, methods }) =>
      segments.length === asked.length &&
      methods.includes(method) &&
      segments.every((segment, nth) => segment.startsWith('{') || segment === asked[nth]),
  )
  return found && failureOf(`${method} ${found.path}`)
}

function failureOf(operation: string): Failure {
  try {
    return notBuilt(unsupported.operations, operation)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}
