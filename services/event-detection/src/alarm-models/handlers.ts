import { type Context, implement, noContent, ok, type ReadingContext } from '@icosa/kernel'
import { findModel, findModelVersion, type ResolvedVersion, statusOf } from '../catalog/find-model.ts'
import { list, listVersions, type Model } from '../catalog/model-store.ts'
import { deleteModel, writeContextOf } from '../catalog/write-model.ts'
import { ofAlarmModel, unconfiguredHeaders } from '../deliveries/unconfigured.ts'
import type { AlarmModelDefinition } from '../models/alarm-models/contract.ts'
import type { EventDetectionSettings } from '../settings.ts'
import { arnOfResource, type Owner, ownerIn } from '../shapes/owner.ts'
import { seconds } from '../shapes/time.ts'
import { alarmModels } from './contract.ts'
import { createAlarmModel, updateAlarmModel } from './write.ts'

type Resolved = ResolvedVersion<AlarmModelDefinition>

export const alarmModelOperations = (settings: EventDetectionSettings) => {
  const ownerOf = ownerIn(settings.region)
  const writeContext = (context: Context) => writeContextOf(context, ownerOf(context))
  const current = async (context: ReadingContext, model: Model) =>
    versionOf(ownerOf(context), await findModelVersion(context.db, model))

  return implement(alarmModels, {
    async CreateAlarmModel({ body }, context) {
      const response = await current(context, await createAlarmModel(writeContext(context), body))
      return ok(response, unconfiguredHeaders(ofAlarmModel(body, settings)))
    },

    async DescribeAlarmModel({ params, query }, context) {
      const model = await findModel(context.db, context.caller.tenant, 'alarm', params.alarmModelName)
      const resolved: Resolved = await findModelVersion(context.db, model, query.version)
      const { roleArn, description, definition } = resolved.version
      return ok({
        ...versionOf(ownerOf(context), resolved),
        alarmModelName: model.name,
        ...(description !== null && { alarmModelDescription: description }),
        roleArn,
        ...(model.keyAttribute !== null && { key: model.keyAttribute }),
        ...definition,
      })
    },

    async UpdateAlarmModel({ params, body }, context) {
      const response = await current(
        context,
        await updateAlarmModel(writeContext(context), params.alarmModelName, body),
      )
      return ok(response, unconfiguredHeaders(ofAlarmModel(body, settings)))
    },

    async DeleteAlarmModel({ params }, context) {
      await deleteModel(writeContext(context), 'alarm', params.alarmModelName)
      return noContent()
    },

    async ListAlarmModels({ query }, { db, caller }) {
      const { items, next } = await list(db, caller.tenant, 'alarm', query)
      const alarmModelSummaries = items.map(({ name, description, createdAt }) => ({
        alarmModelName: name,
        ...(description !== null && { alarmModelDescription: description }),
        creationTime: seconds(createdAt),
      }))
      return ok({ alarmModelSummaries }, { next })
    },

    async ListAlarmModelVersions({ params, query }, context) {
      const model = await findModel(context.db, context.caller.tenant, 'alarm', params.alarmModelName)
      const { items, next } = await listVersions<AlarmModelDefinition>(context.db, model, query)
      const alarmModelVersionSummaries = items.map((version) => ({
        ...versionOf(ownerOf(context), { model, version }),
        alarmModelName: model.name,
        roleArn: version.roleArn,
        creationTime: seconds(version.createdAt),
      }))
      return ok({ alarmModelVersionSummaries }, { next })
    },
  })
}

function versionOf(owner: Owner, { model, version }: Resolved) {
  return {
    creationTime: seconds(model.createdAt),
    alarmModelArn: arnOfResource(owner, 'alarm', model.name),
    alarmModelVersion: String(version.version),
    lastUpdateTime: seconds(version.createdAt),
    status: statusOf(model, version),
  }
}
