import { Failure } from '@icosa/kernel'

export function badArgument(message: string): never {
  throw new Failure('invalid', message, { code: 'BadArgument' })
}

export function nameTaken(noun: string, name: string): never {
  throw new Failure('alreadyExists', `The ${noun} '${name}' already exists.`, { code: 'Conflict' })
}

export function unknown(noun: string, id: string): never {
  throw new Failure('notFound', `The ${noun} '${id}' was not found.`, { code: 'NotFound' })
}

export function tooMany(items: string, max: number): never {
  throw new Failure('forbidden', `The limit of ${max.toLocaleString('en')} ${items} is reached: delete some first.`, {
    code: 'QuotaExceeded',
  })
}

export function inUse(noun: string, name: string, by: string, remedy = 'Change that first.'): never {
  throw new Failure('conflict', `The ${noun} '${name}' is used by ${by}. ${remedy}`, { code: 'Conflict' })
}
