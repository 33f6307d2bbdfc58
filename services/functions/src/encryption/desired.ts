import type { KeyHolder } from '@icosa/kernel'
import type { Desired } from '../functions/desired.ts'
import { type DataKey, openDataKey } from './data-keys.ts'

type Variables = Readonly<Record<string, string>>

/** Environments of the function and of its build. */
interface Environments {
  readonly build?: Variables | undefined
  readonly service: Variables
}

const context = 'environment'

/** Replaces the environment by its ciphertext. */
export function sealDesired(desired: Desired, key: DataKey): Desired {
  const { environmentVariables: build, ...buildConfig } = desired.buildConfig
  const { environmentVariables: service } = desired.serviceConfig
  const environments: Environments = { build, service }
  return {
    ...desired,
    buildConfig,
    serviceConfig: { ...desired.serviceConfig, environmentVariables: {} },
    sealed: { ...key.stored, environment: key.seal(JSON.stringify(environments), context) },
  }
}

export function openDesired({ sealed, ...desired }: Desired, key: DataKey | undefined): Desired {
  if (!sealed || !key) return desired
  const { build, service }: Environments = JSON.parse(key.open(sealed.environment, context))
  return {
    ...desired,
    buildConfig: { ...desired.buildConfig, ...(build && { environmentVariables: build }) },
    serviceConfig: { ...desired.serviceConfig, environmentVariables: service },
  }
}

interface Sealable {
  readonly project: string
  readonly desired: Pick<Desired, 'sealed'>
}

/** Data key of a function or revision; undefined if it has none. */
export async function dataKeyOf(keys: KeyHolder, tenant: string, row: Sealable): Promise<DataKey | undefined> {
  const { project, desired } = row
  return desired.sealed && (await openDataKey(keys, { tenant, project }, desired.sealed))
}
