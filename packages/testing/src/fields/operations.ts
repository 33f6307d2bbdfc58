import { bodyKind, paramNames, type Schema, writes } from '@icosa/contract'
import { Engine, type ServiceOperation } from '@icosa/kernel'
import { type Field, fieldsOf } from './fields.ts'

export const nameOf = ({ path }: Field) => path.join('.')

/** Excludes protocol libraries, which have their own fields, and DELETE, whose resource is gone. */
export const isWrite = ({ operation, handler }: ServiceOperation) =>
  writes(operation) &&
  operation.method !== 'DELETE' &&
  operation.body !== undefined &&
  !bodyKind(operation.body) &&
  !(handler instanceof Engine)

/** Of similar operations, the first with each set of fields. */
export function differing(
  operations: readonly ServiceOperation[],
  alike: readonly RegExp[],
): readonly ServiceOperation[] {
  const kindOf = ({ id, operation }: ServiceOperation) => {
    const pattern = alike.find((one) => one.test(id))
    return pattern ? `${pattern} ${fieldsOf(operation.body as Schema).map(nameOf)}` : id
  }
  return [...new Map(operations.toReversed().map((operation) => [kindOf(operation), operation])).values()].toReversed()
}

/** Orders operations on parts before those on the whole, which may give the parts other ids. */
export const partsFirst = (operations: readonly ServiceOperation[]): readonly ServiceOperation[] => {
  const depth = ({ operation }: ServiceOperation) => paramNames(operation.path).length
  return operations.toSorted((operation, other) => depth(other) - depth(operation))
}

const isMember = (path: string, of: string) => {
  const all = `${of.replace(/\/$/, '')}/`
  return path.startsWith(all) && /^\{\w+\}$/.test(path.slice(all.length))
}

/** Whether a path denotes a subtype of another: `/card/{itemId}` returns resources created at `/card-debit`. */
const isKindOf = (path: string, of: string) => path.startsWith(`${of.replace(/\/\{[\w-]+\}$/, '')}-`)

/** Reading operations, nearest path first: GET of a member, of the same path, of the supertype, then all others. */
export function readersOf({ operation: { path } }: ServiceOperation, all: readonly ServiceOperation[]) {
  const isNear = [isMember, (one: string) => one === path, (one: string) => isKindOf(path, one)]
  const distance = ({ operation }: ServiceOperation) =>
    [...isNear, () => true].findIndex((is) => is(operation.path, path))
  const shared = ({ operation }: ServiceOperation) => sharedLength(operation.path, path)
  const reads = ({ operation }: ServiceOperation) => !writes(operation) && operation.method !== 'HEAD'
  return all.filter(reads).toSorted((one, other) => distance(one) - distance(other) || shared(other) - shared(one))
}

/** Length of the common prefix. */
export function sharedLength(one: string, other: string): number {
  const end = [...one].findIndex((letter, at) => letter !== other[at])
  return end === -1 ? one.length : end
}

/** DELETE of a member, or one at the same path with the added item in its body. */
export function removerOf({ operation: { method, path } }: ServiceOperation, all: readonly ServiceOperation[]) {
  const deletes = all.filter(({ operation }) => operation.method === 'DELETE')
  const same = deletes.find(({ operation }) => operation.path === path)
  if (method !== 'POST') return same
  const member = deletes.find(({ operation }) => isMember(operation.path, path))
  return member ?? (same?.operation.body ? same : undefined)
}
