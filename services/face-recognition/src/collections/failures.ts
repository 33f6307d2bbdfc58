import { Failure } from '@icosa/kernel'
import type { Kind } from './names.ts'

export function collectionNotFound({ name, noun }: Kind, id: string): never {
  throw new Failure('notFound', `The ${noun} '${id}' was not found.`, { code: `${name}NotFound` })
}

export function collectionExists({ name, noun }: Kind, id: string): never {
  throw new Failure('alreadyExists', `The ${noun} '${id}' already exists.`, { code: `${name}Exists` })
}

export function notTrained({ name, noun }: Kind, id: string): never {
  throw new Failure(
    'invalid',
    `The ${noun} '${id}' was never trained: train it, and wait until the training has succeeded.`,
    {
      code: `${name}NotTrained`,
    },
  )
}

/** The 404 of a training status. */
export function noTraining({ name, noun }: Kind, id: string): never {
  throw new Failure('notFound', `The ${noun} '${id}' was never trained.`, { code: `${name}NotTrained` })
}

export function trainingNotFinished({ name, noun }: Kind, id: string): never {
  throw new Failure('conflict', `The training of the ${noun} '${id}' has not finished yet.`, {
    code: `${name}TrainingNotFinished`,
  })
}

export function tooMany(items: string, max: number): never {
  throw new Failure('forbidden', `The limit of ${max.toLocaleString('en')} ${items} is reached: delete some first.`, {
    code: 'QuotaExceeded',
  })
}

export function badArgument(message: string): never {
  throw new Failure('invalid', message, { code: 'BadArgument' })
}
