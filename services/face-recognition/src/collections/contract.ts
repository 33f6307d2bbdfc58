import { named, oneOf, type Static, Type } from '@icosa/contract'
import {
  api,
  ChosenId,
  DateTime,
  FaceUserData,
  flag,
  Name,
  NameAndUserData,
  Page,
  RecognitionModel,
  UserData,
  Uuid,
} from '../shapes/contract.ts'
import type { Kind } from './names.ts'

const MetaData = named('MetaData', {
  name: Name,
  userData: Type.Optional(UserData),
  recognitionModel: Type.Optional(RecognitionModel),
})

export const PersistedFace = named('PersistedFace', {
  persistedFaceId: Uuid,
  userData: Type.Optional(FaceUserData),
})

const TrainingStatus = named('TrainingStatus', {
  status: oneOf('nonstarted', 'running', 'succeeded', 'failed'),
  createdDateTime: DateTime,
  lastActionDateTime: Type.Optional(DateTime),
  lastSuccessfulTrainingDateTime: Type.Optional(DateTime),
  message: Type.Optional(Type.String()),
})
export interface TrainingStatus extends Static<typeof TrainingStatus> {}

const returnRecognitionModel = flag(false)
const fieldsOf = ({ param }: Kind) => ({
  [param]: ChosenId,
  name: Name,
  userData: Type.Optional(UserData),
  recognitionModel: Type.Optional(RecognitionModel),
})

/** Operations of all four kinds. */
function basics(kind: Kind) {
  const { noun, param, path } = kind
  const at = `/${path}/{${param}}` as const
  return {
    create: api.put(at, {
      summary: `Create a ${noun}.`,
      params: { [param]: ChosenId },
      body: MetaData,
      replies: { 200: null },
    }),
    update: api.patch(at, {
      summary: `Change the name or the user data of a ${noun}.`,
      body: NameAndUserData,
      replies: { 200: null },
    }),
    delete: api.delete(at, { summary: `Delete a ${noun} and its contents.`, replies: { 200: null } }),
  }
}

/** Operations of groups and large lists. */
export function trainedContract(kind: Kind) {
  const { name, noun, param, path } = kind
  const at = `/${path}/{${param}}` as const
  const Collection = named(name, fieldsOf(kind))
  return {
    ...basics(kind),
    get: api.get(at, {
      summary: `Read a ${noun}.`,
      query: Type.Object({ returnRecognitionModel }),
      replies: { 200: Collection },
    }),
    list: api.get(`/${path}`, {
      summary: `List ${noun}s by id.`,
      query: Type.Object({ ...Page, returnRecognitionModel }),
      replies: { 200: Type.Array(Collection) },
    }),
    train: api.post(`${at}/train`, {
      summary: `Train a ${noun}, in the background.`,
      replies: { 202: null },
    }),
    getTrainingStatus: api.get(`${at}/training`, {
      summary: `Read the training status of a ${noun}.`,
      replies: { 200: TrainingStatus },
    }),
  }
}

/** Operations of small lists, which need no training and show their faces. */
export function listContract(kind: Kind) {
  const { name, noun, param, path } = kind
  const List = named(`${name}Summary`, fieldsOf(kind))
  return {
    ...basics(kind),
    get: api.get(`/${path}/{${param}}` as const, {
      summary: `Read a ${noun} with its faces.`,
      query: Type.Object({ returnRecognitionModel }),
      replies: { 200: named(name, { ...fieldsOf(kind), persistedFaces: Type.Array(PersistedFace) }) },
    }),
    list: api.get(`/${path}`, {
      summary: `List ${noun}s by id, without their faces.`,
      query: Type.Object({ returnRecognitionModel }),
      replies: { 200: Type.Array(List) },
    }),
  }
}
