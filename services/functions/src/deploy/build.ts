import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Blobs, type GuardedFetch, type JobContext, privateFile } from '@icosa/kernel'
import { checkDependencies } from '../build/dependencies.ts'
import { install } from '../build/install.ts'
import { hashOf, pack } from '../build/pack.ts'
import { buildFailure } from '../build/refusal.ts'
import { type BuildStep, installPython, runBuildScript } from '../build/scripts.ts'
import { checkSyntax } from '../build/syntax.ts'
import { unpack } from '../build/unpack.ts'
import { type DataKey, openDataKey } from '../encryption/data-keys.ts'
import { dataKeyOf, openDesired } from '../encryption/desired.ts'
import type { Desired } from '../functions/desired.ts'
import { uploadOf } from '../functions/source.ts'
import type { FunctionRow } from '../functions/store.ts'
import { nameOf } from '../functions/view.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { artifactKey, sourceKey, uploadKey } from '../source/keys.ts'
import * as uploads from '../source/store.ts'
import type { RevisionRow } from './store.ts'

export type Built = Pick<RevisionRow, 'artifact' | 'source'>

/** Builds the artifact of an uploaded zip. The artifact of the same zip and runtime is reused. */
export async function build(
  { desired: stored, ...place }: FunctionRow,
  current: RevisionRow | undefined,
  context: JobContext<ServiceRuntime>,
): Promise<Built> {
  const { runtime } = context
  const key = await dataKeyOf(runtime.keys, place.tenant, { ...place, desired: stored })
  const row = { ...place, desired: openDesired(stored, key) }
  const { buildMs, builds } = runtime.poolOf(row.desired.buildConfig.workerPool)
  const work = () => buildWithin(buildMs, row, current, key, context)
  return builds ? builds.run(row.tenant, work) : work()
}

async function buildWithin(
  buildMs: number,
  row: FunctionRow,
  current: RevisionRow | undefined,
  key: DataKey | undefined,
  context: JobContext<ServiceRuntime>,
): Promise<Built> {
  const { runtime, blobs } = context
  await mkdir(runtime.buildFolder, { recursive: true, mode: 0o711 })
  const folder = await mkdtemp(join(await realpath(runtime.buildFolder), 'build-'))
  await chmod(folder, 0o711) // so that the sandbox's user can traverse it
  const limit = AbortSignal.timeout(buildMs)
  const signal = AbortSignal.any([context.signal, limit])
  try {
    const zip = join(folder, 'source.zip')
    const hash = await fetchSource(row, current, context, zip)
    const source = key ? key.nameOf(hash) : hash
    // The same name implies the same data key.
    const isSame = current?.source === source && isSameBuild(openDesired(current.desired, key), row.desired)
    if (current && isSame) return { artifact: current.artifact, source }
    const artifact = await buildArtifact(row, folder, zip, {
      runtime,
      blobs,
      fetch: context.fetch,
      signal,
      key,
      buildMs,
    })
    const content = createReadStream(zip)
    await blobs.put(sourceKey(source), key ? key.sealBlob(content) : content, { contentType: 'application/zip' })
    return { artifact, source }
  } catch (error) {
    if (limit.aborted && !context.signal.aborted)
      throw buildFailure('BuildTimeout', `The build took longer than ${buildMs / 1_000} s: make the source smaller.`)
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const isSameBuild = (a: Desired, b: Desired) =>
  a.buildConfig.runtime === b.buildConfig.runtime &&
  isDeepStrictEqual(a.buildConfig.environmentVariables, b.buildConfig.environmentVariables)

/** Downloads the uploaded zip or, if it has expired, that of the current revision. Returns its hash. */
async function fetchSource(
  row: FunctionRow,
  current: RevisionRow | undefined,
  { blobs, db, tenant, runtime: { keys } }: Pick<JobContext<ServiceRuntime>, 'blobs' | 'db' | 'tenant' | 'runtime'>,
  to: string,
): Promise<string> {
  const upload = uploadOf(row.desired) ?? ''
  const isUploaded = (await blobs.head(uploadKey(upload))) !== undefined
  const isCurrent = current !== undefined && uploadOf(current.desired) === upload
  if (!isUploaded && !isCurrent)
    throw buildFailure(
      'InvalidSource',
      'Nothing was uploaded: send the zip to the URL of generateUploadUrl, then deploy.',
    )
  const { project, location } = row
  const uploaded = isUploaded ? await uploads.find(db, tenant, { id: upload, project, location }) : undefined
  const stored = uploaded ? uploaded.dataKey : current?.desired.sealed
  const key = stored && (await openDataKey(keys, { tenant, project }, stored))
  const { body } = isUploaded
    ? await blobs.get(uploadKey(upload))
    : await blobs.get(sourceKey((current as RevisionRow).source))
  await pipeline(key ? key.openBlob(body) : body, createWriteStream(to, privateFile))
  return hashOf(to)
}

async function installPackages(tenant: string, folder: string, runtime: ServiceRuntime, step: BuildStep) {
  const { pythonIndex: url, buildScripts: allowsScripts, network, packageFolder } = runtime
  if (url === undefined) return false
  const cache = join(packageFolder, createHash('sha256').update(tenant).digest('hex').slice(0, 32))
  const accept = network.acceptBuild(tenant, url, step.report)
  return await installPython(folder, { url, allowsScripts, cache, accept }, step)
}

interface BuildContext {
  readonly runtime: ServiceRuntime
  readonly blobs: Blobs
  readonly fetch: GuardedFetch
  readonly signal: AbortSignal
  readonly key: DataKey | undefined
  readonly buildMs: number
}

async function buildArtifact(row: FunctionRow, folder: string, zip: string, context: BuildContext): Promise<string> {
  const { runtime, blobs, fetch, signal, key, buildMs } = context
  const { runtime: name } = row.desired.buildConfig
  const language = await runtime.runtimes.open(name)
  const workspace = join(folder, 'workspace')
  await mkdir(workspace, { mode: 0o755 })
  await unpack(zip, workspace, { signal })
  if (runtime.registry && !name.startsWith('python')) await install(workspace, { url: runtime.registry, fetch, signal })
  const sandbox = await runtime.sandbox()
  const report = (text: string) => {
    runtime.logs.add({
      revision: { tenant: row.tenant, function: nameOf(row) },
      stream: 'platform',
      text: `build: ${text}`,
    })
  }
  const environment = row.desired.buildConfig.environmentVariables ?? {}
  const step = { sandbox, runtime: language, environment, timeLimitMs: buildMs, signal, report }
  const isPython = name.startsWith('python')
  if (runtime.buildScripts && !isPython) await runBuildScript(workspace, step)
  if (!isPython || !(await installPackages(row.tenant, workspace, runtime, step)))
    await checkDependencies(workspace, name)
  await checkSyntax(sandbox, { folder: workspace, runtime: language, timeLimitMs: buildMs, signal })
  const file = join(folder, 'artifact.tar.gz')
  const hash = await pack(workspace, file, signal)
  const artifact = key ? key.nameOf(hash) : hash
  const existing = await blobs.head(artifactKey(artifact))
  const content = () => (key ? key.sealBlob(createReadStream(file)) : createReadStream(file))
  if (!existing) await blobs.put(artifactKey(artifact), content(), { contentType: 'application/gzip' })
  return artifact
}
