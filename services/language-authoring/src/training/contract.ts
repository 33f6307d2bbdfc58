import { extensions, named, oneOf, Type } from '@icosa/contract'
import { api, at, DateTime, Uuid } from '../shapes/contract.ts'

const status = oneOf('Queued', 'InProgress', 'UpToDate', 'Fail', 'Success')

export const training = extensions({
  trainVersion: api.post(`${at}/train`, {
    summary: 'Train a version, in the background.',
    replies: { 202: named('EnqueueTrainingResponse', { statusId: Type.Integer(), status }) },
  }),
  getStatus: api.get(`${at}/train`, {
    summary: 'Read the training status of each model of a version.',
    replies: {
      200: Type.Array(
        named('ModelTrainingInfo', {
          modelId: Uuid,
          details: named('ModelTrainingDetails', {
            statusId: Type.Integer(),
            status,
            exampleCount: Type.Integer(),
            trainingDateTime: Type.Optional(DateTime),
            failureReason: Type.Optional(Type.String()),
          }),
        }),
      ),
    },
  }),
})
