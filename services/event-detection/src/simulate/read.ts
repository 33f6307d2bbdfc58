import { type Detail, invalid, lazyValidator } from '@icosa/kernel'
import { readPayload } from '../expressions/payload.ts'
import { checkDetectorModel } from '../models/check.ts'
import { DetectorModelDefinition } from '../models/contract.ts'
import { refusals } from '../models/findings.ts'
import type { SimulatedMessage, SimulatedModel } from './simulate.ts'

const shapeErrors = lazyValidator(DetectorModelDefinition, 'body')

/** Reads a model from JSON: a create request, a describe response, or a definition. */
export function readModel(text: string): SimulatedModel {
  const json = jsonObject(text, 'model', JSON.parse)
  const described = json.detectorModel as { readonly detectorModelConfiguration?: object } | undefined
  const outer = described ? { ...described.detectorModelConfiguration, ...described } : json
  const model = { detectorModelDefinition: json, ...outer } as unknown as SimulatedModel
  refuse(
    shapeErrors(model.detectorModelDefinition).map((detail) => ({ ...detail, at: detail.at.replace('body', 'model') })),
  )
  refuse(refusals(checkDetectorModel(model.detectorModelDefinition), 'model'))
  return model
}

/** Reads messages, one per line: `{"at":"2026-01-01T12:00:00Z","inputName":"X","payload":{...}}`. */
export function readMessages(text: string): readonly SimulatedMessage[] {
  let last = 0
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const at = `line ${index + 1}`
    const { at: time, ...message } = jsonObject(line, at)
    last = Math.max(last, timeOf(time, at) ?? last + 1000)
    return [{ messageId: String(index + 1), ...message, at: last }]
  })
}

/** Maximum time of a Date. */
const maxTime = 8.64e15

function timeOf(value: unknown, at: string): number | undefined {
  if (value === undefined) return undefined
  const time = typeof value === 'number' ? value : Date.parse(String(value))
  if (!(Math.abs(time) <= maxTime)) invalid([{ at, message: `'${value}' is not a time; write 2026-01-01T12:00:00Z` }])
  return time
}

function jsonObject(text: string, at: string, read: (text: string) => unknown = readPayload): Record<string, unknown> {
  try {
    const json = read(text)
    if (typeof json === 'object' && json !== null) return json as Record<string, unknown>
  } catch (error) {
    invalid([{ at, message: `is not JSON: ${(error as Error).message}` }])
  }
  invalid([{ at, message: 'is not a JSON object' }])
}

function refuse(details: readonly Detail[]): void {
  if (details.length > 0) invalid(details)
}
