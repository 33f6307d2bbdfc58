import { extensions, named, oneOf, type Static, Type } from '@icosa/contract'
import { api, KeyValue, ModelName, nextToken, pageQuery, Time } from '../shapes/contract.ts'

const DeliveryFailure = named('DeliveryFailure', {
  modelType: oneOf('DETECTOR_MODEL', 'ALARM_MODEL'),
  modelName: Type.String(),
  modelVersion: Type.String(),
  keyValue: Type.Optional(Type.String()),
  action: Type.String({ description: 'The kind of action, such as sns or lambda.' }),
  eventName: Type.Optional(Type.String()),
  target: Type.Record(Type.Unknown()),
  reason: Type.String(),
  attempts: Type.Optional(Type.Integer()),
  deliveryId: Type.Optional(Type.String({ description: 'Value of the header Icosa-Delivery-Id.' })),
  time: Time,
})
export interface DeliveryFailure extends Static<typeof DeliveryFailure> {}

export const deliveryFailures = extensions({
  ListDeliveryFailures: api.get('/delivery-failures', {
    summary: 'List failed deliveries of detectors and alarms, newest first.',
    query: Type.Object({
      modelName: Type.Optional(ModelName),
      keyValue: Type.Optional(KeyValue),
      ...pageQuery,
    }),
    replies: {
      200: named('ListDeliveryFailuresResponse', { deliveryFailures: Type.Array(DeliveryFailure), nextToken }),
    },
  }),
})
