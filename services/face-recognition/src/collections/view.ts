import type { RecognitionModel } from '../shapes/contract.ts'
import type { TrainingStatus } from './contract.ts'
import type { Kind } from './names.ts'
import type { Collection } from './store.ts'

interface IdField {
  readonly [id: string]: string
}

export const toCollection = (
  { param }: Kind,
  { id, name, userData, recognitionModel }: Collection,
  withModel: boolean,
) => ({
  ...({ [param]: id } as IdField),
  name,
  ...(userData !== null && { userData }),
  ...(withModel && { recognitionModel: recognitionModel as RecognitionModel }),
})

export function toTrainingStatus(row: Collection): TrainingStatus | undefined {
  const { trainingStatus: status, trainingCreatedAt, trainingActionAt, trainedAt, trainingMessage } = row
  if (status === null || trainingCreatedAt === null) return undefined
  return {
    status,
    createdDateTime: trainingCreatedAt.toISOString(),
    ...(trainingActionAt && { lastActionDateTime: trainingActionAt.toISOString() }),
    ...(trainedAt && { lastSuccessfulTrainingDateTime: trainedAt.toISOString() }),
    ...(trainingMessage !== null && { message: trainingMessage }),
  }
}
