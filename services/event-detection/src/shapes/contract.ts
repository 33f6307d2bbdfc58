import { identifier, named, oneOf, Type, withDefault } from '@icosa/contract'
import { signed } from '@icosa/dialects/signed/contract'
import { exceptions } from '../exceptions.ts'

const modelName = { minLength: 1, maxLength: 128, pattern: '^[a-zA-Z0-9_-]{1,128}$' }
const inputName = { pattern: '^[a-zA-Z][a-zA-Z0-9_]{0,127}$' }

/** `members` identify an existing resource in a refusal. */
export const api = signed({
  version: '2018-10-23',
  message: 'message',
  token: 'nextToken',
  exceptions,
  members: { resourceId: Type.String(), resourceArn: Type.String() },
  params: {
    alarmModelName: identifier('alarm model', modelName),
    detectorModelName: identifier('detector model', modelName),
    inputName: identifier('input', inputName),
    analysisId: identifier('analysis', { pattern: '^[0-9a-f-]{36}$' }),
  },
})

export const ModelName = Type.String(modelName)
export const Id = Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-zA-Z0-9_-]{1,64}$' })
export const keyPattern = '^[a-zA-Z0-9\\-_:]{1,128}$'
export const KeyValue = Type.String({ minLength: 1, maxLength: 128, pattern: keyPattern })
export const Description = Type.Optional(Type.String({ maxLength: 128 }))
export const RoleArn = Type.String({ minLength: 1, maxLength: 2048 })
export const Version = Type.String({ minLength: 1, maxLength: 128 })
/** Epoch seconds, with fraction. */
export const Time = Type.Number()

export const Tag = named('Tag', {
  key: Type.String({ minLength: 1, maxLength: 128 }),
  value: Type.String({ maxLength: 256 }),
})
export const Tags = Type.Array(Tag, { maxItems: 50 })

export const pageQuery = {
  nextToken: Type.Optional(Type.String({ maxLength: 2048 })),
  maxResults: withDefault(Type.Integer({ minimum: 1, maximum: 250 }), 100),
}
export const nextToken = Type.Optional(Type.String())
export const Nothing = Type.Object({})

export const ErrorCode = oneOf(
  'ResourceNotFoundException',
  'InvalidRequestException',
  'InternalFailureException',
  'ServiceUnavailableException',
  'ThrottlingException',
)
/** Error of one entry of a batch; the others succeeded. */
export const entryError = { errorCode: Type.Optional(ErrorCode), errorMessage: Type.Optional(Type.String()) }
