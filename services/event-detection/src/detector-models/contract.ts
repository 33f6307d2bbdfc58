import { extensions, named, oneOf, type Static, Type } from '@icosa/contract'
import { AttributePath, DetectorModelDefinition, EvaluationMethod } from '../models/contract.ts'
import { api, Description, ModelName, nextToken, pageQuery, RoleArn, Tags, Time, Version } from '../shapes/contract.ts'

const Status = oneOf('ACTIVE', 'ACTIVATING', 'INACTIVE', 'DEPRECATED', 'DRAFT', 'PAUSED', 'FAILED')
const text = Type.Optional(Type.String())

const Configuration = named('DetectorModelConfiguration', {
  detectorModelName: Type.String(),
  detectorModelVersion: Type.String(),
  detectorModelDescription: text,
  detectorModelArn: Type.String(),
  roleArn: Type.String(),
  creationTime: Time,
  lastUpdateTime: Time,
  status: Status,
  key: text,
  evaluationMethod: EvaluationMethod,
})
export interface DetectorModelConfiguration extends Static<typeof Configuration> {}
const ConfigurationResponse = named('DetectorModelConfigurationResponse', { detectorModelConfiguration: Configuration })

const versionFields = {
  detectorModelDefinition: DetectorModelDefinition,
  detectorModelDescription: Description,
  roleArn: RoleArn,
  evaluationMethod: Type.Optional(EvaluationMethod),
}
export const CreateDetectorModelRequest = named('CreateDetectorModelRequest', {
  detectorModelName: ModelName,
  key: Type.Optional(AttributePath),
  tags: Type.Optional(Tags),
  ...versionFields,
})
export interface CreateDetectorModelRequest extends Static<typeof CreateDetectorModelRequest> {}
const UpdateDetectorModelRequest = named('UpdateDetectorModelRequest', versionFields)
export interface UpdateDetectorModelRequest extends Static<typeof UpdateDetectorModelRequest> {}

export const detectorModels = extensions({
  CreateDetectorModel: api.post('/detector-models', {
    summary: 'Create a detector model.',
    body: CreateDetectorModelRequest,
    replies: { 200: ConfigurationResponse },
  }),
  DescribeDetectorModel: api.get('/detector-models/{detectorModelName}', {
    summary: 'Read a detector model, by default the latest version.',
    query: Type.Object({ version: Type.Optional(Version) }),
    replies: {
      200: named('DescribeDetectorModelResponse', {
        detectorModel: named('DetectorModel', {
          detectorModelDefinition: DetectorModelDefinition,
          detectorModelConfiguration: Configuration,
        }),
      }),
    },
  }),
  UpdateDetectorModel: api.post('/detector-models/{detectorModelName}', {
    summary: 'Create a new version of a detector model. Its detectors restart.',
    body: UpdateDetectorModelRequest,
    replies: { 200: ConfigurationResponse },
  }),
  DeleteDetectorModel: api.delete('/detector-models/{detectorModelName}', {
    summary: 'Delete a detector model and its detectors.',
    replies: { 204: null },
  }),
  ListDetectorModels: api.get('/detector-models', {
    summary: 'List the detector models.',
    query: Type.Object(pageQuery),
    replies: {
      200: named('ListDetectorModelsResponse', {
        detectorModelSummaries: Type.Array(
          named('DetectorModelSummary', {
            detectorModelName: Type.String(),
            detectorModelDescription: text,
            creationTime: Time,
          }),
        ),
        nextToken,
      }),
    },
  }),
  ListDetectorModelVersions: api.get('/detector-models/{detectorModelName}/versions', {
    summary: 'List the versions of a detector model, newest first.',
    query: Type.Object(pageQuery),
    replies: {
      200: named('ListDetectorModelVersionsResponse', {
        detectorModelVersionSummaries: Type.Array(
          named('DetectorModelVersionSummary', {
            detectorModelName: Type.String(),
            detectorModelVersion: Type.String(),
            detectorModelArn: Type.String(),
            roleArn: Type.String(),
            creationTime: Time,
            lastUpdateTime: Time,
            status: Status,
            evaluationMethod: EvaluationMethod,
          }),
        ),
        nextToken,
      }),
    },
  }),
})
