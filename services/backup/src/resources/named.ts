import { arnsNamed, canonicalName, isResourceName, type Owner } from '@icosa/dialects/signed/resource-name'
import { invalid, notFound } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'

/** Rejects a text that is not a resource name. `at` is its position in the request. */
export function checkName(text: string, at: string): void {
  if (!isResourceName(text))
    invalid([{ at, message: 'is not the name of a resource: an ARN, or a path such as /subscriptions/...' }])
}

/** Rejects a text that cannot name a resource of this owner. */
export function checkOwnName(owner: Owner, text: string, at: string): void {
  checkName(text, at)
  if (canonicalName(owner, text) === undefined)
    invalid([{ at, message: 'names a resource of another account or region' }])
}

/** Lower-case ARNs of a resource in jobs and recovery points, even if it was deleted. */
export function arnsOf(owner: Owner, runtime: ServiceRuntime, text: string): string[] {
  const name = canonicalName(owner, text)
  const services = runtime.backups.values().map(({ service }) => service)
  return name === undefined ? [] : arnsNamed(owner, name, services)
}

/** The same for a resource in a path: one of another account is not found. */
export function ownArnsOf(owner: Owner, runtime: ServiceRuntime, text: string): string[] {
  return canonicalName(owner, text) === undefined ? notFound('resource', text) : arnsOf(owner, runtime, text)
}
