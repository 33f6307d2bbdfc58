import type { Exceptions } from '@icosa/dialects/signed/contract'

export const invalidRequest = 'InvalidRequestException'

/** The original answers all of them with 400; clients only check the name. */
export const exceptions: Exceptions = {
  kinds: {
    invalid: ['InvalidParameterValueException', 400],
    notFound: ['ResourceNotFoundException', 404],
    alreadyExists: ['AlreadyExistsException', 400],
    conflict: ['ConflictException', 400],
    unavailable: ['ServiceUnavailableException', 503],
  },
  codes: { [invalidRequest]: 400, LimitExceededException: 400, InvalidResourceStateException: 400 },
}
