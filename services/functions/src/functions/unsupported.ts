import { notSupported } from '@icosa/module/not-supported'
import { messagePublished } from '../events/names.ts'
import { unsupported } from '../unsupported.ts'
import type { FunctionBody } from './desired.ts'

/** Refuses fields without effect by name. Empty values count as unset. */
export function refuseUnsupported(body: FunctionBody): void {
  if (body.environment === 'GEN_1') notSupported(unsupported.generation1)
  if (body.kmsKeyName) notSupported(unsupported.kmsKeyName)
  refuseBuild(body.buildConfig)
  refuseServing(body.serviceConfig)
  refuseTrigger(body.eventTrigger)
}

function refuseBuild(build: FunctionBody['buildConfig'] = {}): void {
  if (build.source?.repoSource || build.source?.gitUri) notSupported(unsupported.repoSource)
  if (Object.keys(build.environmentVariables ?? {}).length > 0) notSupported(unsupported.buildVariables)
  if (isSpecified(build.dockerRegistry) || build.dockerRepository) notSupported(unsupported.dockerRegistry)
  if (build.workerPool) notSupported(unsupported.workerPool)
}

function refuseServing(serving: FunctionBody['serviceConfig'] = {}): void {
  if (serving.allTrafficOnLatestRevision === false) notSupported(unsupported.trafficSplit)
  if (serving.ingressSettings === 'ALLOW_INTERNAL_AND_GCLB') notSupported(unsupported.loadBalancerIngress)
  if (serving.serviceAccountEmail) notSupported(unsupported.serviceAccountEmail)
  if (serving.vpcConnector || isSpecified(serving.vpcConnectorEgressSettings)) notSupported(unsupported.vpcConnector)
  if (serving.secretVolumes && serving.secretVolumes.length > 0) notSupported(unsupported.secretVolumes)
}

function refuseTrigger(trigger: FunctionBody['eventTrigger'] = {}): void {
  if (trigger.channel) notSupported(unsupported.channel)
  if (trigger.eventType && trigger.eventType !== messagePublished)
    notSupported(unsupported.otherEvents, `eventType ${trigger.eventType}`)
  if (trigger.serviceAccountEmail) notSupported(unsupported.serviceAccountEmail)
}

const isSpecified = (word: string | undefined) => word !== undefined && !word.endsWith('_UNSPECIFIED')
