import { Failure } from '@icosa/kernel'
import type { Kind } from './names.ts'

export function collectionNotFound({ name, noun }: Kind, id: string): never {
  throw new Failure('notFound', `The ${noun} '${id}' was not found.`, { code: `${name}NotFound` })
}

export function collectionExists({ name, noun }: Kind, id: string): never {
  throw new Failure('alreadyExists', `There is a ${noun} '${id}' already.`, { code: `${name}Exists` })
}

export function notTrained({ name, noun }: Kind, id: string): never {
  throw new Failure('invalid', `The ${noun} '${id}' was never trained: train it, and wait until that has succeeded.`, {
    code: `${name}NotTrained`,
  })
}

/** The same for whoever asks how a training is going. */
export function noTraining({ name, noun }: Kind, id: string): never {
  throw new Failure('notFound', `The ${noun} '${id}' was never trained.`, { code: `${name}NotTrained` })
}

export function trainingNotFinished({ name, noun }: Kind, id: string): never {
  throw new Failure('conflict', `The training of the ${noun} '${id}' has not finished yet.`, {
    code: `${name}TrainingNotFinished`,
  })
}

export function tooMany(what: string, most: number): never {
  throw new Failure(
    'forbidden',
    `There are ${most.toLocaleString('en')} ${what} already, which is as many as there may be.`,
    {
      code: 'QuotaExceeded',
    },
  )
}

export function badArgument(message: string): never {
  throw new Failure('invalid', message, { code: 'BadArgument' })
}
