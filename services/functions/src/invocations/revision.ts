import { Failure, type ReadingDb, type Vault } from '@icosa/kernel'
import type { RevisionRow } from '../deploy/store.ts'
import { memoryBytes, processors } from '../functions/quantities.ts'
import { nameOf } from '../functions/view.ts'
import type { Revision } from '../revision.ts'
import { secretContext } from '../secrets/sealed.ts'
import * as secrets from '../secrets/store.ts'
import { artifactKey } from '../source/keys.ts'

/** Required to decrypt secrets. */
export interface SecretContext {
  readonly db: ReadingDb
  readonly vault: Vault
}

/** A revision as instances need it, with its current secrets. */
export async function toRevision(context: SecretContext, tenant: string, row: RevisionRow): Promise<Revision> {
  const { buildConfig, serviceConfig, eventTrigger } = row.desired
  return {
    id: row.id,
    tenant,
    function: nameOf(row),
    artifact: artifactKey(row.artifact),
    runtime: buildConfig.runtime,
    entryPoint: buildConfig.entryPoint,
    signature: eventTrigger ? 'cloudevent' : 'http',
    environment: { ...serviceConfig.environmentVariables, ...(await secretVariables(context, tenant, row)) },
    memoryBytes: memoryBytes(serviceConfig.availableMemory),
    cpu: processors(serviceConfig.availableCpu),
    timeoutMs: serviceConfig.timeoutSeconds * 1_000,
    concurrency: serviceConfig.maxInstanceRequestConcurrency,
    minInstances: serviceConfig.minInstanceCount,
    maxInstances: serviceConfig.maxInstanceCount,
  }
}

async function secretVariables(
  { db, vault }: SecretContext,
  tenant: string,
  row: RevisionRow,
): Promise<Record<string, string>> {
  const variables: Record<string, string> = {}
  for (const { key, projectId, secret, version } of row.desired.serviceConfig.secretEnvironmentVariables) {
    const name = { project: projectId || row.project, name: secret }
    const stored = await secrets.find(db, tenant, name, version && version !== 'latest' ? Number(version) : undefined)
    if (!stored)
      throw new Failure(
        'preconditionFailed',
        `There is no secret '${secret}' in ${name.project}${version && version !== 'latest' ? ` of version ${version}` : ''}: set it with \`icosa functions secrets set ${secret} --project ${name.project}\`.`,
        { code: 'MissingSecret' },
      )
    variables[key] = vault.open(stored.sealed, secretContext(stored.id))
  }
  return variables
}
