import { Failure } from '@icosa/kernel'

export function snapshotNotFound(name: string): never {
  throw new Failure('notFound', `There is no snapshot '${name}'.`)
}
