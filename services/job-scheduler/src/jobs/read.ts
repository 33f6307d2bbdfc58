import { invalid } from '@icosa/kernel'
import { readAction } from '../actions/read.ts'
import { readMoment } from '../recurrence/moment.ts'
import { readRecurrence } from '../recurrence/read.ts'
import type { PropertiesInput } from './contract.ts'
import type { Definition } from './job.ts'

const at = 'body/properties'

/** Parses a definition, which still contains secrets. */
export function readDefinition({ action, recurrence, startTime }: PropertiesInput): Definition {
  if (action === undefined) invalid([{ at: `${at}/action`, message: 'is required' }])
  const timing = {
    ...(recurrence && { recurrence: readRecurrence(recurrence, `${at}/recurrence`) }),
    ...(startTime !== undefined && { startTime: readMoment(startTime, `${at}/startTime`).text }),
  }
  return { ...timing, action: readAction(action, `${at}/action`) }
}
