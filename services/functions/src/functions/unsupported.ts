import { notBuilt } from '@icosa/module/not-built'
import { messagePublished } from '../events/names.ts'
import { unsupported } from '../unsupported.ts'
import type { FunctionBody } from './desired.ts'

/** Refuses fields without effect by name. Empty values count as unset. */
export function refuseUnsupported(body: FunctionBody): void {
  if (body.environment === 'GEN_1') notBuilt(unsupported.generation1)
  if (body.kmsKeyName) notBuilt(unsupported.kmsKeyName)
  refuseBuild(body.buildConfig)
  refuseServing(body.serviceConfig)
  refuseTrigger(body.eventTrigger)
}

function refuseBuild(build: FunctionBody['buildConfig'] = {}): void {
  if (build.source?.repoSource || build.source?.gitUri) notBuilt(unsupported.repoSource)
  if (Object.keys(build.environmentVariables ?? {}).length > 0) notBuilt(unsupported.buildVariables)
  if (isSpecified(build.dockerRegistry) || build.dockerRepository) notBuilt(unsupported.dockerRegistry)
  if (build.workerPool) notBuilt(unsupported.workerPool)
}

function refuseServing(serving: FunctionBody['serviceConfig'] = {}): void {
  if (serving.allTrafficOnLatestRevision === false) notBuilt(unsupported.trafficSplit)
  if (serving.ingressSettings === 'ALLOW_INTERNAL_AND_GCLB') notBuilt(unsupported.loadBalancerIngress)
  if (serving.serviceAccountEmail) notBuilt(unsupported.serviceAccountEmail)
  if (serving.vpcConnector || isSpecified(serving.vpcConnectorEgressSettings)) notBuilt(unsupported.vpcConnector)
  if (serving.secretVolumes && serving.secretVolumes.length > 0) notBuilt(unsupported.secretVolumes)
}

function refuseTrigger(trigger: FunctionBody['eventTrigger'] = {}): void {
  if (trigger.channel) notBuilt(unsupported.channel)
  if (trigger.eventType && trigger.eventType !== messagePublished)
    notBuilt(unsupported.otherEvents, `eventType ${trigger.eventType}`)
  if (trigger.serviceAccountEmail) notBuilt(unsupported.serviceAccountEmail)
}

const isSpecified = (word: string | undefined) => word !== undefined && !word.endsWith('_UNSPECIFIED')
