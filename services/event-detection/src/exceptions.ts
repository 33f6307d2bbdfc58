import type { Exceptions } from '@icosa/dialects/signed/contract'

export const exceptions: Exceptions = {
  kinds: {
    invalid: ['InvalidRequestException', 400],
    notFound: ['ResourceNotFoundException', 404],
    alreadyExists: ['ResourceAlreadyExistsException', 409],
    conflict: ['ResourceInUseException', 409],
    limitReached: ['LimitExceededException', 410],
    notImplemented: ['UnsupportedOperationException', 501],
  },
  codes: { LimitExceededException: 410 },
}
