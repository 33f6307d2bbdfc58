import { notSupported } from '@icosa/module/not-supported'
import { eventTypes } from '../events/names.ts'
import { unsupported } from '../unsupported.ts'
import type { FunctionBody } from './desired.ts'
import type { Offer } from './offer.ts'

/** Refuses fields without effect by name. Empty values count as unset. */
export function refuseUnsupported(body: FunctionBody, offer: Offer): void {
  if (body.environment === 'GEN_1') notSupported(unsupported.generation1)
  refuseBuild(body.buildConfig, offer)
  refuseTrigger(body.eventTrigger)
}

function refuseBuild(build: FunctionBody['buildConfig'] = {}, { hasBuildVariables }: Offer): void {
  if (build.source?.repoSource || build.source?.gitUri) notSupported(unsupported.repoSource)
  if (Object.keys(build.environmentVariables ?? {}).length > 0 && !hasBuildVariables(build.runtime ?? ''))
    notSupported(unsupported.buildVariables)
  if (isSpecified(build.dockerRegistry) || build.dockerRepository) notSupported(unsupported.dockerRegistry)
  if (build.workerPool) notSupported(unsupported.workerPool)
}

function refuseTrigger(trigger: FunctionBody['eventTrigger'] = {}): void {
  if (trigger.channel) return
  if (trigger.eventType && !Object.hasOwn(eventTypes, trigger.eventType))
    notSupported(unsupported.otherEvents, `eventType ${trigger.eventType}`)
}

const isSpecified = (word: string | undefined) => word !== undefined && !word.endsWith('_UNSPECIFIED')
