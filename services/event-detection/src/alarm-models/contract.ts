import { extensions, named, oneOf, type Static, Type } from '@icosa/contract'
import { alarmModelFields } from '../models/alarm-models/contract.ts'
import { AttributePath } from '../models/contract.ts'
import { api, Description, ModelName, nextToken, pageQuery, RoleArn, Tags, Time, Version } from '../shapes/contract.ts'

const Status = oneOf('ACTIVE', 'ACTIVATING', 'INACTIVE', 'FAILED')
const text = Type.Optional(Type.String())

const version = {
  creationTime: Time,
  alarmModelArn: Type.String(),
  alarmModelVersion: Type.String(),
  lastUpdateTime: Time,
  status: Status,
}
const VersionResponse = named('AlarmModelVersionResponse', version)

const versionFields = { alarmModelDescription: Description, roleArn: RoleArn, ...alarmModelFields }
export const CreateAlarmModelRequest = named('CreateAlarmModelRequest', {
  alarmModelName: ModelName,
  key: Type.Optional(AttributePath),
  tags: Type.Optional(Tags),
  ...versionFields,
})
export interface CreateAlarmModelRequest extends Static<typeof CreateAlarmModelRequest> {}
const UpdateAlarmModelRequest = named('UpdateAlarmModelRequest', versionFields)
export interface UpdateAlarmModelRequest extends Static<typeof UpdateAlarmModelRequest> {}

export const alarmModels = extensions({
  CreateAlarmModel: api.post('/alarm-models', {
    summary: 'Create an alarm model.',
    body: CreateAlarmModelRequest,
    replies: { 200: VersionResponse },
  }),
  DescribeAlarmModel: api.get('/alarm-models/{alarmModelName}', {
    summary: 'Read an alarm model, by default the latest version.',
    query: Type.Object({ version: Type.Optional(Version) }),
    replies: {
      200: named('DescribeAlarmModelResponse', {
        ...version,
        statusMessage: text,
        alarmModelName: Type.String(),
        alarmModelDescription: text,
        roleArn: Type.String(),
        key: text,
        ...alarmModelFields,
      }),
    },
  }),
  UpdateAlarmModel: api.post('/alarm-models/{alarmModelName}', {
    summary: 'Create a new version of an alarm model. Its alarms restart.',
    body: UpdateAlarmModelRequest,
    replies: { 200: VersionResponse },
  }),
  DeleteAlarmModel: api.delete('/alarm-models/{alarmModelName}', {
    summary: 'Delete an alarm model and its alarms.',
    replies: { 204: null },
  }),
  ListAlarmModels: api.get('/alarm-models', {
    summary: 'List the alarm models.',
    query: Type.Object(pageQuery),
    replies: {
      200: named('ListAlarmModelsResponse', {
        alarmModelSummaries: Type.Array(
          named('AlarmModelSummary', {
            alarmModelName: Type.String(),
            alarmModelDescription: text,
            creationTime: Time,
          }),
        ),
        nextToken,
      }),
    },
  }),
  ListAlarmModelVersions: api.get('/alarm-models/{alarmModelName}/versions', {
    summary: 'List the versions of an alarm model, newest first.',
    query: Type.Object(pageQuery),
    replies: {
      200: named('ListAlarmModelVersionsResponse', {
        alarmModelVersionSummaries: Type.Array(
          named('AlarmModelVersionSummary', {
            alarmModelName: Type.String(),
            roleArn: Type.String(),
            ...version,
            statusMessage: text,
          }),
        ),
        nextToken,
      }),
    },
  }),
})
