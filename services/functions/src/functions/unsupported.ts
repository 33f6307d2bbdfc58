import { notBuilt } from '@icosa/module/not-built'
import { absent } from '../absent.ts'
import { messagePublished } from '../events/names.ts'
import type { FunctionBody } from './desired.ts'

/** Refuses what would have no effect, by its name. What is sent empty is not sent. */
export function refuseUnsupported(body: FunctionBody): void {
  if (body.environment === 'GEN_1') notBuilt(absent.generation1)
  if (body.kmsKeyName) notBuilt(absent.kmsKeyName)
  refuseBuild(body.buildConfig)
  refuseServing(body.serviceConfig)
  refuseTrigger(body.eventTrigger)
}

function refuseBuild(build: FunctionBody['buildConfig'] = {}): void {
  if (build.source?.repoSource || build.source?.gitUri) notBuilt(absent.repoSource)
  if (Object.keys(build.environmentVariables ?? {}).length > 0) notBuilt(absent.buildVariables)
  if (isChosen(build.dockerRegistry) || build.dockerRepository) notBuilt(absent.dockerRegistry)
  if (build.workerPool) notBuilt(absent.workerPool)
}

function refuseServing(serving: FunctionBody['serviceConfig'] = {}): void {
  if (serving.allTrafficOnLatestRevision === false) notBuilt(absent.trafficSplit)
  if (serving.ingressSettings === 'ALLOW_INTERNAL_AND_GCLB') notBuilt(absent.loadBalancerIngress)
  if (serving.serviceAccountEmail) notBuilt(absent.serviceAccountEmail)
  if (serving.vpcConnector || isChosen(serving.vpcConnectorEgressSettings)) notBuilt(absent.vpcConnector)
  if (serving.secretVolumes && serving.secretVolumes.length > 0) notBuilt(absent.secretVolumes)
}

function refuseTrigger(trigger: FunctionBody['eventTrigger'] = {}): void {
  if (trigger.channel) notBuilt(absent.channel)
  if (trigger.eventType && trigger.eventType !== messagePublished)
    notBuilt(absent.otherEvents, `eventType ${trigger.eventType}`)
  if (trigger.serviceAccountEmail) notBuilt(absent.serviceAccountEmail)
}

const isChosen = (word: string | undefined) => word !== undefined && !word.endsWith('_UNSPECIFIED')
