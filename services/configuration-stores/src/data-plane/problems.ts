import { statusOf } from '@icosa/dialects/status'
import { Failure, type Kind, type Outgoing } from '@icosa/kernel'
import type { Spelling } from '../names.ts'

/** Names of failures, which are also the last part of a problem's type. */
const slugs: Readonly<Record<Kind, string>> = {
  invalid: 'invalid-argument',
  unauthenticated: 'unauthorized',
  forbidden: 'forbidden',
  notFound: 'not-found',
  wrongMethod: 'method-not-allowed',
  alreadyExists: 'already-exists',
  conflict: 'invalid-state',
  preconditionFailed: 'precondition-failed',
  tooLarge: 'too-large',
  lengthRequired: 'length-required',
  unsupportedMediaType: 'unsupported-media-type',
  misdirected: 'misdirected',
  rateLimited: 'too-many-requests',
  limitReached: 'quota-exceeded',
  notImplemented: 'not-implemented',
  unavailable: 'unavailable',
  internal: 'internal-error',
}

const titles: Readonly<Record<string, string>> = {
  'invalid-argument': 'Invalid request parameter',
  unauthorized: 'The request is not authenticated.',
  forbidden: 'The credential does not allow this.',
  'not-found': 'The resource does not exist.',
  'already-exists': 'The resource already exists.',
  'invalid-state': 'Target resource state invalid.',
  'key-locked': 'The key-value is locked.',
  'precondition-failed': 'A precondition of the request failed.',
  'too-large': 'The key-value is too large.',
  'key-inaccessible': 'The key of the store cannot be used.',
}

/** Our own slugs for failures that the original subsumes under a kind. */
const ownSlugs: Readonly<Record<string, string>> = { KeyInaccessible: 'key-inaccessible' }

/** Authentication schemes. */
type Scheme = 'HMAC-SHA256' | 'Bearer'

/** A refused credential; the challenge describes the error of the scheme that was tried. */
export function unauthenticated(description: string, scheme?: Scheme): Failure {
  return new Failure('unauthenticated', description, scheme && { code: scheme })
}

function challengeOf({ code, message }: Failure): string {
  const description = message.replaceAll('"', "'")
  if (code === 'HMAC-SHA256') return `HMAC-SHA256 error="invalid_token" error_description="${description}", Bearer`
  if (code === 'Bearer') return `HMAC-SHA256, Bearer error="invalid_token", error_description="${description}"`
  return 'HMAC-SHA256, Bearer'
}

export function problemOf(failure: Failure, spelling: Spelling): Outgoing {
  const { kind, details, message } = failure
  const status = statusOf[kind]
  const slug = kind === 'conflict' ? (failure.code ?? slugs.conflict) : (ownSlugs[failure.code ?? ''] ?? slugs[kind])
  const name = details[0]?.at.split('/').at(-1)
  const title = titles[slug] ?? 'The request failed.'
  return {
    status,
    ...(status === 401 && { headers: { 'www-authenticate': challengeOf(failure) } }),
    body: {
      type: spelling.errors + slug,
      title: name === undefined ? title : `${title} '${name}'`,
      ...(name !== undefined && { name }),
      detail: message,
      status,
    },
    mediaType: 'application/problem+json',
  }
}
