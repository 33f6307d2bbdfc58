import { type CellVault, Failure, type KeyHolder, type ReadingDb } from '@icosa/kernel'
import type { RevisionRow } from '../deploy/store.ts'
import { dataKeyOf, openDesired } from '../encryption/desired.ts'
import { memoryBytes, processors } from '../functions/quantities.ts'
import { nameOf } from '../functions/view.ts'
import type { Revision, Unsealed } from '../revision.ts'
import { secretContext } from '../secrets/sealed.ts'
import * as secrets from '../secrets/store.ts'
import { filesOf } from '../secrets/volumes.ts'
import { artifactKey } from '../source/keys.ts'

/** Required to decrypt secrets and sealed functions. */
export interface SecretContext {
  readonly db: ReadingDb
  readonly cellVault: CellVault
  readonly keys: KeyHolder
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
    ...(row.desired.sealed && { unseal: () => unseal(context, tenant, row) }),
    memoryBytes: memoryBytes(serviceConfig.availableMemory),
    cpu: processors(serviceConfig.availableCpu),
    timeoutMs: serviceConfig.timeoutSeconds * 1_000,
    concurrency: serviceConfig.maxInstanceRequestConcurrency,
    volumes: await secretVolumes(context, tenant, row),
    egress: {
      connector: serviceConfig.vpcConnector,
      allTraffic: serviceConfig.vpcConnectorEgressSettings === 'ALL_TRAFFIC',
    },
    serviceAccount: serviceConfig.serviceAccountEmail,
    minInstances: serviceConfig.minInstanceCount,
    maxInstances: serviceConfig.maxInstanceCount,
  }
}

async function unseal({ keys }: SecretContext, tenant: string, row: RevisionRow): Promise<Unsealed> {
  const key = await dataKeyOf(keys, tenant, row)
  return {
    environment: openDesired(row.desired, key).serviceConfig.environmentVariables,
    artifact: (content) => (key ? key.openBlob(content) : content),
  }
}

async function secretVariables(
  context: SecretContext,
  tenant: string,
  row: RevisionRow,
): Promise<Record<string, string>> {
  const variables: Record<string, string> = {}
  for (const { key, projectId, secret, version } of row.desired.serviceConfig.secretEnvironmentVariables) {
    const name = { project: projectId || row.project, name: secret }
    variables[key] = await open(context, tenant, name, version && version !== 'latest' ? Number(version) : undefined)
  }
  return variables
}

async function secretVolumes(
  context: SecretContext,
  tenant: string,
  { project, desired }: RevisionRow,
): Promise<Record<string, Record<string, string>>> {
  const folders: Record<string, Record<string, string>> = {}
  for (const volume of desired.serviceConfig.secretVolumes ?? []) {
    const files: Record<string, string> = {}
    const name = { project: volume.projectId || project, name: volume.secret }
    for (const [path, version] of filesOf(volume)) files[path] = await open(context, tenant, name, version)
    folders[volume.mountPath] = files
  }
  return folders
}

async function open(
  { db, cellVault }: SecretContext,
  tenant: string,
  name: secrets.SecretName,
  version: number | undefined,
): Promise<string> {
  const stored = await secrets.find(db, tenant, name, version)
  if (!stored)
    throw new Failure(
      'preconditionFailed',
      `There is no secret '${name.name}' in ${name.project}${version === undefined ? '' : ` of version ${version}`}: set it with \`icosa functions secrets set ${name.name} --project ${name.project}\`.`,
      { code: 'MissingSecret' },
    )
  return (await cellVault.of(tenant)).open(stored.sealed, secretContext(stored.id))
}
