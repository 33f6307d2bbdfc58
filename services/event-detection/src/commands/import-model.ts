import { arnOf } from '@icosa/dialects/signed/arn'
import { type Clock, type Database, type Detail, Failure, invalid, lazyValidator, resourcesIn } from '@icosa/kernel'
import { CreateAlarmModelRequest } from '../alarm-models/contract.ts'
import { createAlarmModel, updateAlarmModel } from '../alarm-models/write.ts'
import { find as findModel } from '../catalog/model-store.ts'
import type { WriteContext } from '../catalog/write-model.ts'
import { ofAlarmModel, ofDetectorModel, type Unconfigured } from '../deliveries/unconfigured.ts'
import { CreateDetectorModelRequest } from '../detector-models/contract.ts'
import { createDetectorModel, updateDetectorModel } from '../detector-models/write.ts'
import { CreateInputRequest } from '../inputs/contract.ts'
import { find as findInput } from '../inputs/store.ts'
import { createInput, updateInput } from '../inputs/write.ts'
import { serviceName } from '../names.ts'
import type { Targets } from '../settings.ts'
import type { Owner } from '../shapes/owner.ts'
import { missingInputs } from './missing-inputs.ts'

export interface Imported {
  readonly kind: 'input' | 'detector model' | 'alarm model'
  readonly name: string
  readonly done: 'created' | 'updated'
  /** Targets without an address. */
  readonly unconfigured?: readonly string[]
}

export interface ImportOptions extends Owner {
  readonly clock: Clock
  /** Configured addresses, if known. */
  readonly targets?: Targets
}

/**
 * Creates or updates the resources of a file atomically, for `icosa events import model.json`. A file has lists of create
 * requests (`inputs`, `detectorModels`, `alarmModels`), or is one of them. Missing inputs are derived from the models.
 */
export async function importModel(
  database: Database,
  { tenant, region, clock, targets }: ImportOptions,
  text: string,
): Promise<Imported[]> {
  const roleArn = arnOf({ service: 'iam', region: '', tenant, resource: 'role/events' })
  const { inputs, detectorModels, alarmModels } = readFile(text, roleArn)
  return database.transaction(async (db) => {
    const resources = resourcesIn(db, clock, serviceName, tenant)
    const writeContext: WriteContext = { db, clock, resources, owner: { tenant, region } }
    const imported: Imported[] = []
    const derived = missingInputs(inputs, [...detectorModels, ...alarmModels])
    for (const input of inputs) imported.push(await putInput(writeContext, input))
    for (const input of derived)
      if (!(await findInput(db, tenant, input.inputName))) imported.push(await putInput(writeContext, input))
    for (const model of detectorModels) {
      const { detectorModelDefinition: definition } = model
      const missing = targets && ofDetectorModel(definition, { targets, region })
      imported.push({ ...(await putDetectorModel(writeContext, model)), ...unconfiguredTargets(missing) })
    }
    for (const model of alarmModels) {
      const missing = targets && ofAlarmModel(model, { targets, region })
      imported.push({ ...(await putAlarmModel(writeContext, model)), ...unconfiguredTargets(missing) })
    }
    return imported
  }, tenant)
}

const unconfiguredTargets = (missing: readonly Unconfigured[] = []) =>
  missing.length > 0 ? { unconfigured: [...new Set(missing.map(({ target }) => target))] } : {}

interface File {
  readonly inputs: readonly CreateInputRequest[]
  readonly detectorModels: readonly CreateDetectorModelRequest[]
  readonly alarmModels: readonly CreateAlarmModelRequest[]
}

const checks = {
  inputs: lazyValidator(CreateInputRequest, 'body'),
  detectorModels: lazyValidator(CreateDetectorModelRequest, 'body'),
  alarmModels: lazyValidator(CreateAlarmModelRequest, 'body'),
}

function readFile(text: string, roleArn: string): File {
  const json = parse(text)
  const list = (name: keyof typeof checks, nameField: string): never[] => {
    const items = Array.isArray(json[name]) ? json[name] : nameField in json ? [json] : []
    const requests = items.map((item) => (name === 'inputs' ? item : { roleArn, ...Object(item) }))
    const details = requests.flatMap((request, index) =>
      checks[name](request).map(
        ({ at, message }): Detail => ({ at: at.replace('body', `${name}[${index}]`), message }),
      ),
    )
    if (details.length > 0) invalid(details)
    return requests as never[] // validated above
  }
  const file: File = {
    inputs: list('inputs', 'inputName'),
    detectorModels: list('detectorModels', 'detectorModelName'),
    alarmModels: list('alarmModels', 'alarmModelName'),
  }
  if (Object.values(file).every((requests) => requests.length === 0))
    throw new Failure('invalid', 'The file has neither inputs nor detectorModels nor alarmModels.')
  return file
}

function parse(text: string): Record<string, unknown> {
  try {
    const json = JSON.parse(text)
    if (typeof json === 'object' && json !== null) return json
  } catch (error) {
    throw new Failure('invalid', `The file is not JSON: ${(error as Error).message}.`, { cause: error })
  }
  throw new Failure('invalid', 'The file is not a JSON object.')
}

async function putInput(writeContext: WriteContext, input: CreateInputRequest): Promise<Imported> {
  const { inputName: name } = input
  const existing = await findInput(writeContext.db, writeContext.owner.tenant, name)
  if (existing) await updateInput(writeContext, name, input)
  else await createInput(writeContext, input)
  return { kind: 'input', name, done: existing ? 'updated' : 'created' }
}

async function putDetectorModel(writeContext: WriteContext, model: CreateDetectorModelRequest): Promise<Imported> {
  const { detectorModelName: name } = model
  const existing = await findModel(writeContext.db, writeContext.owner.tenant, 'detector', name)
  if (existing) await updateDetectorModel(writeContext, name, model)
  else await createDetectorModel(writeContext, model)
  return { kind: 'detector model', name, done: existing ? 'updated' : 'created' }
}

async function putAlarmModel(writeContext: WriteContext, model: CreateAlarmModelRequest): Promise<Imported> {
  const { alarmModelName: name } = model
  const existing = await findModel(writeContext.db, writeContext.owner.tenant, 'alarm', name)
  if (existing) await updateAlarmModel(writeContext, name, model)
  else await createAlarmModel(writeContext, model)
  return { kind: 'alarm model', name, done: existing ? 'updated' : 'created' }
}
