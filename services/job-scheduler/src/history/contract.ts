import { named, oneOf, readOnly, type Static, Type } from '@icosa/contract'
import { resourceFields } from '@icosa/dialects/arm'

const moment = () => Type.String({ format: 'date-time' })

export const JobHistory = named('JobHistoryDefinition', {
  ...resourceFields,
  properties: readOnly(
    named('JobHistoryDefinitionProperties', {
      startTime: moment(),
      endTime: moment(),
      expectedExecutionTime: moment(),
      actionName: oneOf('MainAction', 'ErrorAction'),
      status: oneOf('Completed', 'Failed', 'Postponed'),
      message: Type.String(),
      retryCount: Type.Integer({ description: 'Number of previous attempts at this execution.' }),
      repeatCount: Type.Integer({ description: 'Number of previous occurrences.' }),
    }),
  ),
})
export interface JobHistory extends Static<typeof JobHistory> {}
