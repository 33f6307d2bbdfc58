import type { Contract, Operation } from '@icosa/contract'
import { implement, ok, type Resource } from '@icosa/kernel'
import { type Arm, providerOperations } from './contract.ts'
import { refuseToken } from './page.ts'

const verbs: Readonly<Record<string, string>> = {
  GET: 'read',
  HEAD: 'read',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'delete',
}

/** A provider's list of operations, generated from its contracts. */
export function listedOperations(
  api: Arm<string>,
  contracts: readonly Contract[],
  provider: string,
  options: { readonly extension?: boolean } = {},
): Resource {
  const definitions = contracts
    .flatMap((contract) => Object.values(contract))
    .flatMap((operation) => definition(api, operation, provider))
  const unique = [...new Map(definitions.map((entry) => [entry.name, entry])).values()]
  return implement(providerOperations(api as Arm<'Vendor.Area'>, options), {
    async list({ query }) {
      refuseToken(query.$skipToken)
      return ok({ value: unique })
    },
  })
}

function definition({ namespace }: Arm<string>, { method, path, summary }: Operation, provider: string) {
  const words = (path.split(`/providers/${namespace}/`)[1] ?? '').split('/')
  const names = words.filter((word) => !word.startsWith('{'))
  const last = words.at(-1) ?? ''
  if (names.length === 0) return []
  // A POST path ends in the action.
  const isAction = method === 'POST' && !last.startsWith('{')
  const resource = (isAction ? names.slice(0, -1) : names).join('/')
  const operation = isAction ? `${last}/action` : (verbs[method] ?? 'action')
  const name = [namespace, resource, operation].filter((part) => part !== '').join('/')
  return [{ name, display: { provider, resource: resource || namespace, operation: summary, description: summary } }]
}
