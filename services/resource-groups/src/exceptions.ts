import type { Exceptions } from '@icosa/dialects/signed/contract'

const badRequest = ['BadRequestException', 400] as const
const internal = ['InternalServerErrorException', 500] as const

/** The API has seven exceptions, so several kinds of failures share one. */
export const exceptions: Exceptions = {
  kinds: {
    invalid: badRequest,
    alreadyExists: badRequest,
    conflict: badRequest,
    preconditionFailed: badRequest,
    limitReached: badRequest,
    tooLarge: ['BadRequestException', 413],
    unauthenticated: ['UnauthorizedException', 401],
    forbidden: ['ForbiddenException', 403],
    notFound: ['NotFoundException', 404],
    wrongMethod: ['MethodNotAllowedException', 405],
    rateLimited: ['TooManyRequestsException', 429],
    unavailable: internal,
    internal,
  },
}
