import { invalid } from '@icosa/kernel'
import { readAction } from '../actions/read.ts'
import { readMoment } from '../recurrence/moment.ts'
import { readRecurrence } from '../recurrence/read.ts'
import type { PropertiesInput } from './contract.ts'
import type { Definition } from './job.ts'

const at = 'body/properties'

/** Reads what a caller sent. Passwords are still in it. */
export function readDefinition({ action, recurrence, startTime }: PropertiesInput): Definition {
  if (action === undefined) invalid([{ at: `${at}/action`, message: 'is required: it says what the job does' }])
  const read = {
    ...(recurrence && { recurrence: readRecurrence(recurrence, `${at}/recurrence`) }),
    ...(startTime !== undefined && { startTime: readMoment(startTime, `${at}/startTime`).text }),
  }
  return { ...read, action: readAction(action, `${at}/action`) }
}
