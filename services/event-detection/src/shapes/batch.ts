import { invalid } from '@icosa/kernel'

/** Entries of a batch are known by their ids. */
export function checkIds(ids: readonly string[], at: string): void {
  if (new Set(ids).size < ids.length) invalid([{ at, message: 'names an id twice: each is for one entry of a batch' }])
}

export const notThere = (noun: string, keyValue: string | undefined, modelName: string) => ({
  errorCode: 'ResourceNotFoundException' as const,
  errorMessage:
    keyValue === undefined
      ? `There is no ${noun} without a key of the model '${modelName}'.`
      : `There is no ${noun} '${keyValue}' of the model '${modelName}'.`,
})

export const refused = (errorMessage: string) => ({ errorCode: 'InvalidRequestException' as const, errorMessage })
