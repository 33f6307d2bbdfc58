import { arnOf } from '@icosa/dialects/signed/arn'
import { type Clock, type Database, type Detail, Failure, invalid, lazyValidator, resourcesIn } from '@icosa/kernel'
import { CreateAlarmModelRequest } from '../alarm-models/contract.ts'
import { createAlarmModel, updateAlarmModel } from '../alarm-models/write.ts'
import { find as findModel } from '../catalog/model-store.ts'
import type { Writing } from '../catalog/write-model.ts'
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
  /** What it sends to and no address is configured for. */
  readonly unconfigured?: readonly string[]
}

export interface Importing extends Owner {
  readonly clock: Clock
  /** The addresses that are configured, if that is known. */
  readonly targets?: Targets
}

/**
 * Creates what a file holds, or updates it, all or nothing, for `icosa events import model.json`. A file has `inputs`,
 * `detectorModels` and `alarmModels`, each a list of what creating one takes; or it is one of them. Inputs that a model reads
 * and that are nowhere are made of what it reads.
 */
export async function importModel(
  database: Database,
  { tenant, region, clock, targets }: Importing,
  text: string,
): Promise<Imported[]> {
  const roleArn = arnOf({ service: 'iam', region: '', tenant, resource: 'role/events' })
  const { inputs, detectorModels, alarmModels } = readFile(text, roleArn)
  return database.transaction(async (db) => {
    const resources = resourcesIn(db, clock, serviceName, tenant)
    const writing: Writing = { db, clock, resources, owner: { tenant, region } }
    const done: Imported[] = []
    const lacking = missingInputs(inputs, [...detectorModels, ...alarmModels])
    for (const input of inputs) done.push(await putInput(writing, input))
    for (const input of lacking)
      if (!(await findInput(db, tenant, input.inputName))) done.push(await putInput(writing, input))
    for (const model of detectorModels) {
      const { detectorModelDefinition: definition } = model
      const missing = targets && ofDetectorModel(definition, { targets, region })
      done.push({ ...(await putDetectorModel(writing, model)), ...told(missing) })
    }
    for (const model of alarmModels) {
      const missing = targets && ofAlarmModel(model, { targets, region })
      done.push({ ...(await putAlarmModel(writing, model)), ...told(missing) })
    }
    return done
  })
}

const told = (missing: readonly Unconfigured[] = []) =>
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
  const list = (name: keyof typeof checks, own: string): never[] => {
    const found = Array.isArray(json[name]) ? json[name] : own in json ? [json] : []
    const complete = found.map((one) => (name === 'inputs' ? one : { roleArn, ...Object(one) }))
    const wrong = complete.flatMap((one, index) =>
      checks[name](one).map(({ at, message }): Detail => ({ at: at.replace('body', `${name}[${index}]`), message })),
    )
    if (wrong.length > 0) invalid(wrong)
    return complete as never[] // the validators have seen to it
  }
  const file: File = {
    inputs: list('inputs', 'inputName'),
    detectorModels: list('detectorModels', 'detectorModelName'),
    alarmModels: list('alarmModels', 'alarmModelName'),
  }
  if (Object.values(file).every((one) => one.length === 0))
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

async function putInput(writing: Writing, input: CreateInputRequest): Promise<Imported> {
  const { inputName: name } = input
  const isThere = await findInput(writing.db, writing.owner.tenant, name)
  if (isThere) await updateInput(writing, name, input)
  else await createInput(writing, input)
  return { kind: 'input', name, done: isThere ? 'updated' : 'created' }
}

async function putDetectorModel(writing: Writing, model: CreateDetectorModelRequest): Promise<Imported> {
  const { detectorModelName: name } = model
  const isThere = await findModel(writing.db, writing.owner.tenant, 'detector', name)
  if (isThere) await updateDetectorModel(writing, name, model)
  else await createDetectorModel(writing, model)
  return { kind: 'detector model', name, done: isThere ? 'updated' : 'created' }
}

async function putAlarmModel(writing: Writing, model: CreateAlarmModelRequest): Promise<Imported> {
  const { alarmModelName: name } = model
  const isThere = await findModel(writing.db, writing.owner.tenant, 'alarm', name)
  if (isThere) await updateAlarmModel(writing, name, model)
  else await createAlarmModel(writing, model)
  return { kind: 'alarm model', name, done: isThere ? 'updated' : 'created' }
}
