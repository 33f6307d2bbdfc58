import type { Exceptions } from '@icosa/dialects/signed/contract'

/** The original's six exceptions and one of ours. Those of the signature are common to all services. */
export const exceptions: Exceptions = {
  kinds: {
    invalid: ['BadRequestException', 400],
    conflict: ['BadRequestException', 400],
    tooLarge: ['BadRequestException', 413],
    notFound: ['NotFoundException', 404],
    alreadyExists: ['AlreadyExistsException', 409],
    preconditionFailed: ['LimitExceededException', 412],
    limitReached: ['LimitExceededException', 412],
    rateLimited: ['TooManyRequestsException', 429],
    unavailable: ['ServiceUnavailableException', 503],
    internal: ['InternalServiceErrorException', 500],
  },
}
