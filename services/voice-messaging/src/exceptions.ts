import type { Exceptions } from '@icosa/dialects/signed/server'

const internal = ['InternalServiceErrorException', 500] as const

/** This interface has six exceptions of its own; those of the signature stay what they are everywhere. */
export const exceptions: Exceptions = {
  kinds: {
    invalid: ['BadRequestException', 400],
    conflict: ['BadRequestException', 400],
    tooLarge: ['BadRequestException', 413],
    notFound: ['NotFoundException', 404],
    alreadyExists: ['AlreadyExistsException', 409],
    preconditionFailed: ['LimitExceededException', 412],
    rateLimited: ['TooManyRequestsException', 429],
    unavailable: internal,
    internal,
  },
}
