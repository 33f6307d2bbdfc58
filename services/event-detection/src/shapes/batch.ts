import { invalid } from '@icosa/kernel'

/** Refuses duplicate ids in a batch. */
export function checkIds(ids: readonly string[], at: string): void {
  if (new Set(ids).size < ids.length)
    invalid([{ at, message: 'has a duplicate id: ids must be unique within a batch' }])
}

export const missingEntry = (noun: string, keyValue: string | undefined, modelName: string) => ({
  errorCode: 'ResourceNotFoundException' as const,
  errorMessage:
    keyValue === undefined
      ? `There is no ${noun} without a key of the model '${modelName}'.`
      : `There is no ${noun} '${keyValue}' of the model '${modelName}'.`,
})

export const invalidEntry = (errorMessage: string) => ({ errorCode: 'InvalidRequestException' as const, errorMessage })
