import { notSupported } from '@icosa/module/not-supported'
import { unsupported } from '../unsupported.ts'
import type { FunctionBody } from './desired.ts'

/** Refuses fields without effect by name. Empty values count as unset. */
export function refuseUnsupported({ environment, buildConfig: { source, ...build } = {} }: FunctionBody): void {
  if (environment === 'GEN_1') notSupported(unsupported.generation1, '`environment` `GEN_1`')
  if (source?.gitUri) notSupported(unsupported.generation1, '`source.gitUri`')
  if (build.dockerRegistry === 'CONTAINER_REGISTRY')
    notSupported(unsupported.generation1, '`dockerRegistry` `CONTAINER_REGISTRY`')
  if (source?.repoSource) notSupported(unsupported.repoSource)
  if (build.dockerRepository) notSupported(unsupported.dockerRepository)
}
