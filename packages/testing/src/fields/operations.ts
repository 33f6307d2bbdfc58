import { bodyKind, type Schema, writes } from '@icosa/contract'
import { Engine, type ServiceOperation } from '@icosa/kernel'
import { type Field, fieldsOf } from './fields.ts'

export const nameOf = ({ path }: Field) => path.join('.')

/** Protocol libraries have fields of their own. */
export const isWrite = ({ operation, handler }: ServiceOperation) =>
  writes(operation) && operation.body !== undefined && !bodyKind(operation.body) && !(handler instanceof Engine)

/** Of operations that are alike, the first with each set of fields. */
export function differing(
  operations: readonly ServiceOperation[],
  alike: readonly RegExp[],
): readonly ServiceOperation[] {
  const kindOf = ({ id, operation }: ServiceOperation) => {
    const pattern = alike.find((one) => one.test(id))
    return pattern ? `${pattern} ${fieldsOf(operation.body as Schema).map(nameOf)}` : id
  }
  return [...new Map(operations.toReversed().map((one) => [kindOf(one), one])).values()].toReversed()
}

const isMember = (path: string, of: string) => path.startsWith(`${of}/`) && /^\{\w+\}$/.test(path.slice(of.length + 1))

/** Whether something is read at a path of which another is a kind: `/card/{itemId}` shows what `/card-debit` makes. */
const isKindOf = (path: string, of: string) => path.startsWith(`${of.replace(/\/\{[\w-]+\}$/, '')}-`)

/** The GET of a member first, then that of the same path, then of what it is a kind of, then whatever else reads. */
export function readersOf({ operation: { path } }: ServiceOperation, all: readonly ServiceOperation[]) {
  const isNear = [isMember, (one: string) => one === path, (one: string) => isKindOf(path, one)]
  const distance = ({ operation }: ServiceOperation) =>
    [...isNear, () => true].findIndex((is) => is(operation.path, path))
  const reads = ({ operation }: ServiceOperation) => !writes(operation) && operation.method !== 'HEAD'
  return all.filter(reads).toSorted((one, other) => distance(one) - distance(other))
}

export function removerOf({ operation: { method, path } }: ServiceOperation, all: readonly ServiceOperation[]) {
  const isOfSame = (other: string) => (method === 'POST' ? isMember(other, path) : other === path)
  return all.find(({ operation }) => operation.method === 'DELETE' && isOfSame(operation.path))
}
