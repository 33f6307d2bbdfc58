import { identifier, named, oneOf, operationsOf, type Static, Type, withDefault } from '@icosa/contract'
import { keyedDialect } from '@icosa/dialects/keyed'
import { keyHeaders } from '../names.ts'

export const dialect = {
  ...keyedDialect(keyHeaders[0]),
  version: '3.0-preview',
  operationNames: 'perResource',
  bodyOptional: true,
} as const

const uuidPattern = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
const uuidOf = (noun: string) => identifier(noun, { pattern: uuidPattern })
const numberOf = (noun: string) => identifier(noun, { pattern: '^-?[0-9]{1,15}$' })

export const params = {
  appId: uuidOf('app'),
  versionId: identifier('version', { pattern: '^[^/]{1,100}$' }),
  intentId: uuidOf('intent'),
  entityId: uuidOf('entity'),
  clEntityId: uuidOf('list entity'),
  cEntityId: uuidOf('composite entity'),
  cChildId: uuidOf('child'),
  hEntityId: uuidOf('hierarchical entity'),
  hChildId: uuidOf('child'),
  prebuiltId: uuidOf('prebuilt entity'),
  regexEntityId: uuidOf('regex entity'),
  patternAnyId: uuidOf('pattern.any entity'),
  customEntityId: uuidOf('entity'),
  roleId: uuidOf('role'),
  modelId: uuidOf('model'),
  patternId: uuidOf('pattern'),
  phraselistId: numberOf('phrase list'),
  subListId: numberOf('sublist'),
  itemId: numberOf('item'),
  exampleId: numberOf('example'),
}

export const api = operationsOf(dialect, { params })

/** Base path of a version. */
export const at = '/apps/{appId}/versions/{versionId}' as const

export const Uuid = Type.String({ pattern: uuidPattern })
export const DateTime = Type.String({ format: 'date-time' })
export const Name = Type.String({ minLength: 1, maxLength: 200 })
/** Part of URLs. */
export const VersionName = Type.String({ pattern: '^[A-Za-z0-9._-]{1,10}$' })

export const Page = Type.Object({
  skip: withDefault(Type.Integer({ minimum: 0, maximum: 1_000_000 }), 0),
  take: withDefault(Type.Integer({ minimum: 0, maximum: 500 }), 100),
})
export interface Page extends Static<typeof Page> {
  readonly skip: number
  readonly take: number
}

export const OperationStatus = named('OperationStatus', {
  code: oneOf('Success', 'Failed'),
  message: Type.String(),
})

export const readableTypes = [
  'Entity Extractor',
  'Child Entity Extractor',
  'Hierarchical Entity Extractor',
  'Hierarchical Child Entity Extractor',
  'Composite Entity Extractor',
  'Prebuilt Entity Extractor',
  'Intent Classifier',
  'Pattern.Any Entity Extractor',
  'Closed List Entity Extractor',
  'Regex Entity Extractor',
] as const
export type ReadableType = (typeof readableTypes)[number]

export const EntityRole = named('EntityRole', { id: Uuid, name: Name })

/** Fields of every model. */
export const info = {
  id: Uuid,
  name: Type.String(),
  typeId: Type.Integer(),
  readableType: oneOf(...readableTypes),
}

/** Fields of models copied from a prebuilt domain. */
export const custom = {
  customPrebuiltDomainName: Type.Optional(Type.String()),
  customPrebuiltModelName: Type.Optional(Type.String()),
}

export const NewName = named('NewName', { name: Name })
