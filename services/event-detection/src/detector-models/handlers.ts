import { type Context, implement, noContent, ok } from '@icosa/kernel'
import { findModel, findModelVersion, type ResolvedVersion, statusOf } from '../catalog/find-model.ts'
import { list, listVersions } from '../catalog/model-store.ts'
import { deleteModel, writeContextOf } from '../catalog/write-model.ts'
import { ofDetectorModel, unconfiguredHeaders } from '../deliveries/unconfigured.ts'
import type { EventDetectionSettings } from '../settings.ts'
import { arnOfResource, type Owner, ownerIn } from '../shapes/owner.ts'
import { seconds } from '../shapes/time.ts'
import { type DetectorModelConfiguration, detectorModels } from './contract.ts'
import { createDetectorModel, type Definition, updateDetectorModel } from './write.ts'

export const detectorModelOperations = (settings: EventDetectionSettings) => {
  const ownerOf = ownerIn(settings.region)
  const writeContext = (context: Context) => writeContextOf(context, ownerOf(context))

  return implement(detectorModels, {
    async CreateDetectorModel({ body }, context) {
      const model = await createDetectorModel(writeContext(context), body)
      const resolved = await findModelVersion<Definition>(context.db, model)
      const unconfigured = ofDetectorModel(body.detectorModelDefinition, settings)
      const detectorModelConfiguration = configurationOf(ownerOf(context), resolved)
      return ok({ detectorModelConfiguration }, unconfiguredHeaders(unconfigured))
    },

    async DescribeDetectorModel({ params, query }, context) {
      const model = await findModel(context.db, context.caller.tenant, 'detector', params.detectorModelName)
      const resolved = await findModelVersion<Definition>(context.db, model, query.version)
      return ok({
        detectorModel: {
          detectorModelDefinition: resolved.version.definition.detectorModelDefinition,
          detectorModelConfiguration: configurationOf(ownerOf(context), resolved),
        },
      })
    },

    async UpdateDetectorModel({ params, body }, context) {
      const model = await updateDetectorModel(writeContext(context), params.detectorModelName, body)
      const resolved = await findModelVersion<Definition>(context.db, model)
      const unconfigured = ofDetectorModel(body.detectorModelDefinition, settings)
      const detectorModelConfiguration = configurationOf(ownerOf(context), resolved)
      return ok({ detectorModelConfiguration }, unconfiguredHeaders(unconfigured))
    },

    async DeleteDetectorModel({ params }, context) {
      await deleteModel(writeContext(context), 'detector', params.detectorModelName)
      return noContent()
    },

    async ListDetectorModels({ query }, { db, caller }) {
      const { items, next } = await list(db, caller.tenant, 'detector', query)
      const detectorModelSummaries = items.map(({ name, description, createdAt }) => ({
        detectorModelName: name,
        ...(description !== null && { detectorModelDescription: description }),
        creationTime: seconds(createdAt),
      }))
      return ok({ detectorModelSummaries }, { next })
    },

    async ListDetectorModelVersions({ params, query }, context) {
      const model = await findModel(context.db, context.caller.tenant, 'detector', params.detectorModelName)
      const { items, next } = await listVersions<Definition>(context.db, model, query)
      const detectorModelVersionSummaries = items.map((version) => {
        const {
          key: _,
          detectorModelDescription: __,
          ...summary
        } = configurationOf(ownerOf(context), { model, version })
        return { ...summary, creationTime: seconds(version.createdAt) }
      })
      return ok({ detectorModelVersionSummaries }, { next })
    },
  })
}

function configurationOf(owner: Owner, { model, version }: ResolvedVersion<Definition>): DetectorModelConfiguration {
  return {
    detectorModelName: model.name,
    detectorModelVersion: String(version.version),
    ...(version.description !== null && { detectorModelDescription: version.description }),
    detectorModelArn: arnOfResource(owner, 'detector', model.name),
    roleArn: version.roleArn,
    creationTime: seconds(model.createdAt),
    lastUpdateTime: seconds(version.createdAt),
    status: statusOf(model, version),
    ...(model.keyAttribute !== null && { key: model.keyAttribute }),
    evaluationMethod: version.definition.evaluationMethod,
  }
}
