import { createModel, type Kind, updateModel, type WriteContext } from '../catalog/write-model.ts'
import type { DetectorModelSource } from '../engine/compile.ts'
import { compile } from '../engine/compile.ts'
import { checkDetectorModel } from '../models/check.ts'
import type { CreateDetectorModelRequest, UpdateDetectorModelRequest } from './contract.ts'

export type Definition = Required<Pick<DetectorModelSource, 'detectorModelDefinition' | 'evaluationMethod'>>

const detectorModel: Kind<Definition> = {
  kind: 'detector',
  at: 'body/detectorModelDefinition',
  check: ({ detectorModelDefinition }, inputs) => checkDetectorModel(detectorModelDefinition, { inputs }),
  inputsOf: (definition) => compile({ ...definition, detectorModelName: '', detectorModelVersion: '' }).inputs,
}

export const createDetectorModel = (writeContext: WriteContext, body: CreateDetectorModelRequest) =>
  createModel(writeContext, detectorModel, {
    name: body.detectorModelName,
    key: body.key,
    tags: body.tags,
    ...versionOf(body),
  })

export const updateDetectorModel = (writeContext: WriteContext, name: string, body: UpdateDetectorModelRequest) =>
  updateModel(writeContext, detectorModel, name, versionOf(body))

const versionOf = ({
  detectorModelDescription: description,
  roleArn,
  detectorModelDefinition,
  evaluationMethod = 'BATCH',
}: UpdateDetectorModelRequest) => ({ description, roleArn, definition: { detectorModelDefinition, evaluationMethod } })
