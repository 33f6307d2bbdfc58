import type { Exceptions } from '@icosa/dialects/signed/contract'

/** The original has six exceptions of its own, and one of ours beside them; those of the signature stay what they are everywhere. */
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
