import { Failure } from '@icosa/kernel'

export function faceNotFound(id: string): never {
  throw new Failure('notFound', `The persisted face '${id}' was not found.`, { code: 'PersistedFaceNotFound' })
}
