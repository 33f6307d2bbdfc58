import { Failure } from '@icosa/kernel'
import type { Identity } from './store.ts'

export function keyNotFound({ key, label }: Identity): never {
  const where = label === '' ? 'without a label' : `with the label '${label}'`
  throw new Failure('notFound', `There is no key '${key}' ${where}.`, { code: 'KeyValueNotFound' })
}
