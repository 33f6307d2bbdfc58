import { type Progress, toOperation } from '@icosa/dialects/google/operations'
import { functionName, functionType, operationMetadataType, operationName } from '../names.ts'
import type { OperationRow } from './store.ts'

export function toFunctionOperation(row: OperationRow, state: Progress) {
  const { project, location, function: id, verb } = row
  return toOperation(state, {
    name: operationName(project, location, row.id),
    responseType: functionType,
    metadata: {
      '@type': operationMetadataType,
      target: functionName(project, location, id),
      verb,
      apiVersion: 'v2',
      cancelRequested: state.status === 'cancelled',
    },
  })
}
