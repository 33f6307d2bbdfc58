import type { Static } from '@icosa/contract'
import { type Detail, invalid } from '@icosa/kernel'
import { pathPattern } from '../events/filter.ts'
import { eventAttributes } from '../events/names.ts'
import { runtimeNames } from '../runtimes/index.ts'
import type { FunctionResource } from './contract.ts'
import { defaultCpu, memoryBytes, processors } from './quantities.ts'
import { refuseUnsupported } from './unsupported.ts'

export type FunctionBody = Static<typeof FunctionResource>

/** What callers decide about a function, complete: what they left out has its usual value. */
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

/** Of an unset number, 0 and nothing mean the same on the wire. */
const orUsual = (value: number | undefined, usual: number) => (value === undefined || value === 0 ? usual : value)

/** Reads what a caller wants a function to be. What is not built is refused by its name, and so is what cannot be. */
export function readDesired(body: FunctionBody): Desired {
  refuseUnsupported(body)
  const { description = '', labels = {}, eventTrigger } = body
  const wrong = [...wrongLabels(labels), ...wrongBuild(body.buildConfig)]
  if (wrong.length > 0) invalid(wrong)
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
  const concurrency = orUsual(body.maxInstanceRequestConcurrency, 1)
  const availableCpu = body.availableCpu || defaultCpu(memoryBytes(availableMemory), concurrency)
  const { environmentVariables = {}, secretEnvironmentVariables = [], minInstanceCount = 0 } = body
  const maxInstanceCount = orUsual(body.maxInstanceCount, 100)
  const at = 'body/serviceConfig'
  const wrong = wrongVariables([
    ...Object.keys(environmentVariables),
    ...secretEnvironmentVariables.map(({ key }) => key),
  ])
  if (processors(availableCpu) < 1 && concurrency > 1)
    wrong.push({ at: `${at}/availableCpu`, message: 'must be at least 1 where an instance answers several requests' })
  for (const { secret, version } of secretEnvironmentVariables)
    if (version && !/^(latest|[1-9]\d{0,8})$/.test(version))
      wrong.push({
        at: `${at}/secretEnvironmentVariables`,
        message: `has '${version}' for ${secret}: latest, or a number`,
      })
  if (minInstanceCount > maxInstanceCount)
    wrong.push({ at: `${at}/minInstanceCount`, message: 'is more than maxInstanceCount' })
  if (wrong.length > 0) invalid(wrong)
  return {
    availableCpu,
    availableMemory,
    environmentVariables,
    secretEnvironmentVariables,
    ingressSettings: body.ingressSettings === 'ALLOW_INTERNAL_ONLY' ? 'ALLOW_INTERNAL_ONLY' : 'ALLOW_ALL',
    securityLevel: body.securityLevel === 'SECURE_ALWAYS' ? 'SECURE_ALWAYS' : 'SECURE_OPTIONAL',
    timeoutSeconds: orUsual(body.timeoutSeconds, 60),
    maxInstanceCount,
    minInstanceCount,
    maxInstanceRequestConcurrency: concurrency,
  }
}

/** Set by the runtime itself, or read by it. */
const reserved = /^(PORT|K_SERVICE|K_REVISION|K_CONFIGURATION|FUNCTION_\w*|X_GOOGLE_\w*|NODE_OPTIONS|LD_\w*)$/

function wrongVariables(names: readonly string[]): Detail[] {
  const at = 'body/serviceConfig/environmentVariables'
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  return [
    ...names.flatMap((name) =>
      /^[A-Za-z_]\w{0,199}$/.test(name)
        ? reserved.test(name)
          ? { at, message: `has ${name}, which the runtime sets itself` }
          : []
        : { at, message: `has '${name}': a name is a letter or _, then letters, digits or _` },
    ),
    ...twice.map((name) => ({ at, message: `has ${name} twice, as a value and as a secret` })),
  ]
}

function wrongLabels(labels: Readonly<Record<string, string>>): Detail[] {
  const at = 'body/labels'
  if (Object.keys(labels).length > 64) return [{ at, message: 'has more than 64 entries' }]
  return Object.entries(labels).flatMap(([key, value]) =>
    /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u.test(key) && /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u.test(value)
      ? []
      : { at, message: `has '${key}': keys and values are at most 63 lower-case letters, digits, _ or -` },
  )
}

const isRuntime = (name = '') => (runtimeNames as readonly string[]).includes(name)

function wrongBuild({ runtime, entryPoint = '' }: BuildBody = {}): Detail[] {
  const at = 'body/buildConfig'
  return [
    ...(isRuntime(runtime)
      ? []
      : [
          {
            at: `${at}/runtime`,
            message: `must be one of ${runtimeNames.join(', ')}; GET runtimes lists those that are there`,
          },
        ]),
    ...(/^([A-Za-z_$][\w$.]{0,199})?$/.test(entryPoint)
      ? []
      : [{ at: `${at}/entryPoint`, message: 'must be the name of a function in the source' }]),
  ]
}

function readTrigger({ eventType, retryPolicy, eventFilters = [], pubsubTopic, triggerRegion }: TriggerBody): Trigger {
  const at = 'body/eventTrigger'
  const wrong: Detail[] = eventFilters.flatMap(({ attribute, operator }, index) => [
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
  if (eventType === undefined) wrong.push({ at: `${at}/eventType`, message: 'is required' })
  if (!/^projects\/[a-z0-9][a-z0-9.-]{0,62}\/topics\/[A-Za-z][\w.~+%-]{2,254}$/.test(pubsubTopic ?? ''))
    wrong.push({ at: `${at}/pubsubTopic`, message: 'must be the name of a topic, such as projects/mine/topics/orders' })
  if (wrong.length > 0) invalid(wrong)
  return {
    eventType: eventType as string,
    retryPolicy: retryPolicy === 'RETRY_POLICY_RETRY' ? 'RETRY_POLICY_RETRY' : 'RETRY_POLICY_DO_NOT_RETRY',
    ...(eventFilters.length > 0 && { eventFilters }),
    ...(pubsubTopic && { pubsubTopic }),
    ...(triggerRegion && { triggerRegion }),
  }
}
