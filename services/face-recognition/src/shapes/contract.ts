import { identifier, named, oneOf, operationsOf, type Static, Type, withDefault } from '@icosa/contract'
import { keyedDialect } from '@icosa/dialects/keyed'
import { keyHeaders } from '../names.ts'

export const dialect = { ...keyedDialect(keyHeaders[0]), version: '1.0', operationNames: 'perResource' } as const

const uuidPattern = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
export const idPattern = '^[a-z0-9_-]{1,64}$'
const uuidOf = (noun: string) => identifier(noun, { pattern: uuidPattern })
const idOf = (noun: string) => identifier(noun, { pattern: idPattern })

export const api = operationsOf(dialect, {
  params: {
    personGroupId: idOf('person group'),
    largePersonGroupId: idOf('large person group'),
    faceListId: idOf('face list'),
    largeFaceListId: idOf('large face list'),
    personId: uuidOf('person'),
    persistedFaceId: uuidOf('persisted face'),
    snapshotId: uuidOf('snapshot'),
  },
})

/** An id chosen by the caller: an invalid one is refused, not merely unknown. */
export const ChosenId = Type.String({ pattern: idPattern })
export const Uuid = Type.String({ pattern: uuidPattern })

export const recognitionModels = ['recognition_01', 'recognition_02', 'recognition_03', 'recognition_04'] as const
export const RecognitionModel = oneOf(...recognitionModels)
export type RecognitionModel = Static<typeof RecognitionModel>
export const DetectionModel = oneOf('detection_01', 'detection_02', 'detection_03')
export const hasSecondNetwork = (model: string) => model !== 'detection_01'

export const Name = Type.String({ minLength: 1, maxLength: 128 })
export const UserData = Type.String({ maxLength: 16_384 })
export const FaceUserData = Type.String({ maxLength: 1_024 })

export const NameAndUserData = named('NameAndUserData', {
  name: Type.Optional(Name),
  userData: Type.Optional(UserData),
})

export const flag = (defaultValue: boolean) => withDefault(Type.Boolean(), defaultValue)

export const Page = {
  start: Type.Optional(Type.String({ maxLength: 64 })),
  top: withDefault(Type.Integer({ minimum: 1, maximum: 1_000 }), 1_000),
}

export const DateTime = Type.String({ format: 'date-time' })
export const Confidence = Type.Number({ minimum: 0, maximum: 1 })
