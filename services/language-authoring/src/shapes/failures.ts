import { Failure } from '@icosa/kernel'

export function badArgument(message: string): never {
  throw new Failure('invalid', message, { code: 'BadArgument' })
}

export function nameTaken(noun: string, name: string): never {
  throw new Failure('alreadyExists', `There is ${article(noun)} ${noun} '${name}' already.`, { code: 'Conflict' })
}

export function unknown(noun: string, id: string): never {
  throw new Failure('notFound', `The ${noun} '${id}' was not found.`, { code: 'NotFound' })
}

export function tooMany(what: string, most: number): never {
  throw new Failure('forbidden', `There may be ${most.toLocaleString('en')} ${what}, and there are as many.`, {
    code: 'QuotaExceeded',
  })
}

/** Something that others still refer to is not deleted. */
export function inUse(noun: string, name: string, by: string, remedy = 'Change that first.'): never {
  throw new Failure('conflict', `The ${noun} '${name}' is used by ${by}. ${remedy}`, { code: 'Conflict' })
}

const article = (noun: string) => (/^[aeiou]/.test(noun) ? 'an' : 'a')
