import { named, type Static, Type } from '@icosa/contract'
import { maxTimerSeconds } from '../models/actions/contract.ts'
import { api, entryError, Id, KeyValue, ModelName, nextToken, pageQuery, Time } from '../shapes/contract.ts'

const StateName = Type.String({ minLength: 1, maxLength: 128 })
const TimerName = Type.String({ minLength: 1, maxLength: 128 })
const VariableName = Type.String({ minLength: 1, maxLength: 128, pattern: '^[a-zA-Z][a-zA-Z0-9_]{0,127}$' })

const addressFields = { messageId: Id, detectorModelName: ModelName, keyValue: Type.Optional(KeyValue) }

const UpdateDetectorRequest = named('UpdateDetectorRequest', {
  ...addressFields,
  state: named('DetectorStateDefinition', {
    stateName: StateName,
    variables: Type.Array(
      named('VariableDefinition', { name: VariableName, value: Type.String({ minLength: 1, maxLength: 1024 }) }),
      { maxItems: 200 },
    ),
    timers: Type.Array(
      named('TimerDefinition', { name: TimerName, seconds: Type.Integer({ minimum: 1, maximum: maxTimerSeconds }) }),
      { maxItems: 200 },
    ),
  }),
})
export interface UpdateDetectorRequest extends Static<typeof UpdateDetectorRequest> {}

const DeleteDetectorRequest = named('DeleteDetectorRequest', addressFields)
export interface DeleteDetectorRequest extends Static<typeof DeleteDetectorRequest> {}

const common = {
  detectorModelName: Type.String(),
  keyValue: Type.Optional(Type.String()),
  detectorModelVersion: Type.String(),
  creationTime: Time,
  lastUpdateTime: Time,
}
const Detector = named('Detector', {
  ...common,
  state: named('DetectorState', {
    stateName: Type.String(),
    variables: Type.Array(named('Variable', { name: Type.String(), value: Type.String() })),
    timers: Type.Array(named('Timer', { name: Type.String(), timestamp: Time })),
  }),
})
export interface Detector extends Static<typeof Detector> {}
const DetectorSummary = named('DetectorSummary', {
  ...common,
  state: named('DetectorStateSummary', { stateName: Type.String() }),
})
export interface DetectorSummary extends Static<typeof DetectorSummary> {}

const errorEntries = (title: string) =>
  Type.Array(named(title, { messageId: Type.Optional(Type.String()), ...entryError }))

export const detectors = {
  BatchUpdateDetector: api.post('/detectors', {
    summary: 'Set state, variables and timers of detectors; omitted variables and timers are removed.',
    body: named('BatchUpdateDetectorRequest', {
      detectors: Type.Array(UpdateDetectorRequest, { minItems: 1, maxItems: 100 }),
    }),
    replies: {
      200: named('BatchUpdateDetectorResponse', {
        batchUpdateDetectorErrorEntries: errorEntries('BatchUpdateDetectorErrorEntry'),
      }),
    },
  }),
  BatchDeleteDetector: api.post('/detectors/delete', {
    summary: 'Delete detectors. The next message recreates them.',
    body: named('BatchDeleteDetectorRequest', {
      detectors: Type.Array(DeleteDetectorRequest, { minItems: 1, maxItems: 100 }),
    }),
    replies: {
      200: named('BatchDeleteDetectorResponse', {
        batchDeleteDetectorErrorEntries: errorEntries('BatchDeleteDetectorErrorEntry'),
      }),
    },
  }),
  DescribeDetector: api.get('/detectors/{detectorModelName}/keyValues/', {
    summary: 'Read a detector.',
    query: Type.Object({ keyValue: Type.Optional(KeyValue) }),
    replies: { 200: named('DescribeDetectorResponse', { detector: Detector }) },
  }),
  ListDetectors: api.get('/detectors/{detectorModelName}', {
    summary: 'List the detectors of a model, optionally only those in one state.',
    query: Type.Object({ stateName: Type.Optional(StateName), ...pageQuery }),
    replies: {
      200: named('ListDetectorsResponse', { detectorSummaries: Type.Array(DetectorSummary), nextToken }),
    },
  }),
}
