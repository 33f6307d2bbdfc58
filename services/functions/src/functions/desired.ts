import type { Static } from '@icosa/contract'
import { type Detail, invalid } from '@icosa/kernel'
import { pathPattern } from '../events/filter.ts'
import { eventAttributes } from '../events/names.ts'
import { runtimeNames } from '../runtimes/index.ts'
import type { FunctionResource } from './contract.ts'
import { defaultCpu, memoryBytes, processors } from './quantities.ts'
import { refuseUnsupported } from './unsupported.ts'

export type FunctionBody = Static<typeof FunctionResource>

/** Configuration of a function, with defaults for omitted fields. */
export interface Desired {
  readonly description: string
  readonly labels: Readonly<Record<string, string>>
  readonly buildConfig: Build
  readonly serviceConfig: Serving
  readonly eventTrigger?: Trigger | undefined
}

type BuildBody = NonNullable<FunctionBody['buildConfig']>
type ServiceBody = NonNullable<FunctionBody['serviceConfig']>
type TriggerBody = NonNullable<FunctionBody['eventTrigger']>

export interface Build extends Pick<BuildBody, 'source'> {
  readonly runtime: string
  readonly entryPoint: string
}

export interface Serving {
  readonly availableCpu: string
  readonly availableMemory: string
  readonly environmentVariables: Readonly<Record<string, string>>
  readonly secretEnvironmentVariables: NonNullable<ServiceBody['secretEnvironmentVariables']>
  readonly ingressSettings: 'ALLOW_ALL' | 'ALLOW_INTERNAL_ONLY'
  readonly securityLevel: 'SECURE_ALWAYS' | 'SECURE_OPTIONAL'
  readonly timeoutSeconds: number
  readonly maxInstanceCount: number
  readonly minInstanceCount: number
  readonly maxInstanceRequestConcurrency: number
}

export interface Trigger extends Pick<TriggerBody, 'eventFilters' | 'pubsubTopic' | 'triggerRegion'> {
  readonly eventType: string
  readonly retryPolicy: 'RETRY_POLICY_DO_NOT_RETRY' | 'RETRY_POLICY_RETRY'
}

/** On the wire, 0 means an unset number. */
const orDefault = (value: number | undefined, fallback: number) =>
  value === undefined || value === 0 ? fallback : value

/** Validates the configuration of a function. Unsupported and invalid fields are refused by name. */
export function readDesired(body: FunctionBody): Desired {
  refuseUnsupported(body)
  const { description = '', labels = {}, eventTrigger } = body
  const details = [...labelErrors(labels), ...buildErrors(body.buildConfig)]
  if (details.length > 0) invalid(details)
  const { runtime = '', entryPoint, source } = body.buildConfig ?? {}
  return {
    description,
    labels,
    buildConfig: { runtime, entryPoint: entryPoint || 'helloWorld', ...(source && { source }) },
    serviceConfig: readServing(body.serviceConfig),
    ...(eventTrigger && { eventTrigger: readTrigger(eventTrigger) }),
  }
}

function readServing(body: ServiceBody = {}): Serving {
  const availableMemory = body.availableMemory || '256M'
  const concurrency = orDefault(body.maxInstanceRequestConcurrency, 1)
  const availableCpu = body.availableCpu || defaultCpu(memoryBytes(availableMemory), concurrency)
  const { environmentVariables = {}, secretEnvironmentVariables = [], minInstanceCount = 0 } = body
  const maxInstanceCount = orDefault(body.maxInstanceCount, 100)
  const at = 'body/serviceConfig'
  const details = variableErrors([
    ...Object.keys(environmentVariables),
    ...secretEnvironmentVariables.map(({ key }) => key),
  ])
  if (processors(availableCpu) < 1 && concurrency > 1)
    details.push({ at: `${at}/availableCpu`, message: 'must be at least 1 if instances serve concurrent requests' })
  for (const { secret, version } of secretEnvironmentVariables)
    if (version && !/^(latest|[1-9]\d{0,8})$/.test(version))
      details.push({
        at: `${at}/secretEnvironmentVariables`,
        message: `has '${version}' for ${secret}: use latest or a number`,
      })
  if (minInstanceCount > maxInstanceCount)
    details.push({ at: `${at}/minInstanceCount`, message: 'is more than maxInstanceCount' })
  if (details.length > 0) invalid(details)
  return {
    availableCpu,
    availableMemory,
    environmentVariables,
    secretEnvironmentVariables,
    ingressSettings: body.ingressSettings === 'ALLOW_INTERNAL_ONLY' ? 'ALLOW_INTERNAL_ONLY' : 'ALLOW_ALL',
    securityLevel: body.securityLevel === 'SECURE_ALWAYS' ? 'SECURE_ALWAYS' : 'SECURE_OPTIONAL',
    timeoutSeconds: orDefault(body.timeoutSeconds, 60),
    maxInstanceCount,
    minInstanceCount,
    maxInstanceRequestConcurrency: concurrency,
  }
}

/** Set or read by the runtime. */
const reserved = /^(PORT|K_SERVICE|K_REVISION|K_CONFIGURATION|FUNCTION_\w*|X_GOOGLE_\w*|NODE_OPTIONS|LD_\w*)$/

function variableErrors(names: readonly string[]): Detail[] {
  const at = 'body/serviceConfig/environmentVariables'
  const duplicates = names.filter((name, index) => names.indexOf(name) !== index)
  return [
    ...names.flatMap((name) =>
      /^[A-Za-z_]\w{0,199}$/.test(name)
        ? reserved.test(name)
          ? { at, message: `has ${name}, which the runtime sets itself` }
          : []
        : { at, message: `has '${name}': a name is a letter or _, then letters, digits or _` },
    ),
    ...duplicates.map((name) => ({ at, message: `has ${name} twice, as a value and as a secret` })),
  ]
}

function labelErrors(labels: Readonly<Record<string, string>>): Detail[] {
  const at = 'body/labels'
  if (Object.keys(labels).length > 64) return [{ at, message: 'has more than 64 entries' }]
  return Object.entries(labels).flatMap(([key, value]) =>
    /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u.test(key) && /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u.test(value)
      ? []
      : { at, message: `has '${key}': keys and values are at most 63 lower-case letters, digits, _ or -` },
  )
}

const isRuntime = (name = '') => (runtimeNames as readonly string[]).includes(name)

function buildErrors({ runtime, entryPoint = '' }: BuildBody = {}): Detail[] {
  const at = 'body/buildConfig'
  return [
    ...(isRuntime(runtime)
      ? []
      : [
          {
            at: `${at}/runtime`,
            message: `must be one of ${runtimeNames.join(', ')}; GET runtimes lists the available ones`,
          },
        ]),
    ...(/^([A-Za-z_$][\w$.]{0,199})?$/.test(entryPoint)
      ? []
      : [{ at: `${at}/entryPoint`, message: 'must be the name of a function in the source' }]),
  ]
}

function readTrigger({ eventType, retryPolicy, eventFilters = [], pubsubTopic, triggerRegion }: TriggerBody): Trigger {
  const at = 'body/eventTrigger'
  const details: Detail[] = eventFilters.flatMap(({ attribute, operator }, index) => [
    ...((eventAttributes as readonly string[]).includes(attribute)
      ? []
      : [
          {
            at: `${at}/eventFilters/${index}/attribute`,
            message: `is '${attribute}', which no event has: filter by ${eventAttributes.join(', ')}`,
          },
        ]),
    ...(operator && operator !== pathPattern
      ? [{ at: `${at}/eventFilters/${index}/operator`, message: `must be empty or ${pathPattern}` }]
      : []),
  ])
  if (eventType === undefined) details.push({ at: `${at}/eventType`, message: 'is required' })
  if (!/^projects\/[a-z0-9][a-z0-9.-]{0,62}\/topics\/[A-Za-z][\w.~+%-]{2,254}$/.test(pubsubTopic ?? ''))
    details.push({
      at: `${at}/pubsubTopic`,
      message: 'must be the name of a topic, such as projects/mine/topics/orders',
    })
  if (details.length > 0) invalid(details)
  return {
    eventType: eventType as string,
    retryPolicy: retryPolicy === 'RETRY_POLICY_RETRY' ? 'RETRY_POLICY_RETRY' : 'RETRY_POLICY_DO_NOT_RETRY',
    ...(eventFilters.length > 0 && { eventFilters }),
    ...(pubsubTopic && { pubsubTopic }),
    ...(triggerRegion && { triggerRegion }),
  }
}
