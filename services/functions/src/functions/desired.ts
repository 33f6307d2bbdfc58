import type { Static } from '@icosa/contract'
import { type Detail, invalid } from '@icosa/kernel'
import { poolName } from '../build/pools.ts'
import { policyName } from '../egress/policies.ts'
import type { WrappedKey } from '../encryption/data-keys.ts'
import { isChannelName } from '../events/channels.ts'
import { pathPattern } from '../events/filter.ts'
import { eventTypes, messagePublished } from '../events/names.ts'
import { runtimeNames } from '../runtimes/index.ts'
import { volumeErrors } from '../secrets/volumes.ts'
import type { FunctionResource } from './contract.ts'
import type { Offer } from './offer.ts'
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
  /** Key of a module that encrypts source and environment. */
  readonly kmsKeyName?: string | undefined
  /** The data key, and the ciphertext of the environment. Set as stored, unset as requested. */
  readonly sealed?: (WrappedKey & { readonly environment: string }) | undefined
}

type BuildBody = NonNullable<FunctionBody['buildConfig']>
type ServiceBody = NonNullable<FunctionBody['serviceConfig']>
type TriggerBody = NonNullable<FunctionBody['eventTrigger']>

export interface Build extends Pick<BuildBody, 'source' | 'environmentVariables' | 'workerPool'> {
  readonly runtime: string
  readonly entryPoint: string
  readonly dockerRegistry?: 'ARTIFACT_REGISTRY'
}

export interface Serving {
  readonly availableCpu: string
  readonly availableMemory: string
  readonly environmentVariables: Readonly<Record<string, string>>
  readonly secretEnvironmentVariables: NonNullable<ServiceBody['secretEnvironmentVariables']>
  readonly ingressSettings: 'ALLOW_ALL' | 'ALLOW_INTERNAL_ONLY' | 'ALLOW_INTERNAL_AND_GCLB'
  readonly securityLevel: 'SECURE_ALWAYS' | 'SECURE_OPTIONAL'
  readonly timeoutSeconds: number
  readonly maxInstanceCount: number
  readonly minInstanceCount: number
  readonly maxInstanceRequestConcurrency: number
  readonly serviceAccountEmail?: string
  readonly secretVolumes?: NonNullable<ServiceBody['secretVolumes']>
  readonly vpcConnector?: string
  readonly vpcConnectorEgressSettings?: 'PRIVATE_RANGES_ONLY' | 'ALL_TRAFFIC'
  /** Set if the traffic stays on its revision until it is moved. */
  readonly allTrafficOnLatestRevision?: false
}

export interface Trigger extends Pick<TriggerBody, 'channel' | 'eventFilters' | 'pubsubTopic' | 'triggerRegion'> {
  readonly eventType: string
  readonly retryPolicy: 'RETRY_POLICY_DO_NOT_RETRY' | 'RETRY_POLICY_RETRY'
  /** Service account that must be allowed to call the function. */
  readonly serviceAccountEmail?: string
}

type Ingress = ServiceBody['ingressSettings']

const isSpecified = (ingress: Ingress): ingress is Exclude<Ingress, undefined | 'INGRESS_SETTINGS_UNSPECIFIED'> =>
  ingress !== undefined && ingress !== 'INGRESS_SETTINGS_UNSPECIFIED'

/** On the wire, 0 means an unset number. */
const orDefault = (value: number | undefined, fallback: number) =>
  value === undefined || value === 0 ? fallback : value

/** Validates the configuration of a function. Unsupported and invalid fields are refused by name. */
export function readDesired(body: FunctionBody, offer: Offer): Desired {
  refuseUnsupported(body)
  const { description = '', labels = {}, eventTrigger, kmsKeyName } = body
  const details = [
    ...labelErrors(labels),
    ...buildErrors(body.buildConfig, offer),
    ...buildVariableErrors(body.buildConfig, offer),
  ]
  if (details.length > 0) invalid(details)
  const { runtime = '', entryPoint, source, environmentVariables = {}, ...build } = body.buildConfig ?? {}
  const { workerPool, dockerRegistry } = build
  return {
    description,
    labels,
    buildConfig: {
      ...{ runtime, entryPoint: entryPoint || 'helloWorld' },
      ...(source && { source }),
      ...(Object.keys(environmentVariables).length > 0 && { environmentVariables }),
      ...(workerPool && { workerPool }),
      ...(dockerRegistry === 'ARTIFACT_REGISTRY' && { dockerRegistry }),
    },
    serviceConfig: readServing(body.serviceConfig, offer.connectors),
    ...(eventTrigger && { eventTrigger: readTrigger(eventTrigger) }),
    ...(kmsKeyName && { kmsKeyName }),
  }
}

function readServing(body: ServiceBody = {}, connectors: readonly string[]): Serving {
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
  details.push(...egressErrors(body, connectors), ...volumeErrors(body.secretVolumes))
  if (details.length > 0) invalid(details)
  return {
    availableCpu,
    availableMemory,
    environmentVariables,
    secretEnvironmentVariables,
    ingressSettings: isSpecified(body.ingressSettings) ? body.ingressSettings : 'ALLOW_ALL',
    securityLevel: body.securityLevel === 'SECURE_ALWAYS' ? 'SECURE_ALWAYS' : 'SECURE_OPTIONAL',
    timeoutSeconds: orDefault(body.timeoutSeconds, 60),
    maxInstanceCount,
    minInstanceCount,
    maxInstanceRequestConcurrency: concurrency,
    ...(body.secretVolumes && body.secretVolumes.length > 0 && { secretVolumes: body.secretVolumes }),
    ...(body.allTrafficOnLatestRevision === false && { allTrafficOnLatestRevision: false }),
    ...(body.serviceAccountEmail && { serviceAccountEmail: body.serviceAccountEmail }),
    ...(body.vpcConnector && {
      vpcConnector: body.vpcConnector,
      vpcConnectorEgressSettings:
        body.vpcConnectorEgressSettings === 'ALL_TRAFFIC' ? 'ALL_TRAFFIC' : 'PRIVATE_RANGES_ONLY',
    }),
  }
}

function egressErrors(body: ServiceBody, connectors: readonly string[]): Detail[] {
  const { vpcConnector, vpcConnectorEgressSettings: setting } = body
  const at = 'body/serviceConfig/vpcConnector'
  if (!vpcConnector)
    return setting && !setting.endsWith('_UNSPECIFIED')
      ? [{ at, message: 'is required with vpcConnectorEgressSettings' }]
      : []
  if (connectors.includes(policyName(vpcConnector))) return []
  const choice = connectors.length > 0 ? `choose one of ${connectors.join(', ')}` : 'the operator has defined none'
  return [{ at, message: `'${vpcConnector}' is not an egress policy: ${choice}` }]
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

function buildVariableErrors({ environmentVariables = {}, runtime = '' }: BuildBody = {}, offer: Offer): Detail[] {
  const at = 'body/buildConfig/environmentVariables'
  const names = Object.keys(environmentVariables)
  if (names.length > 0 && !offer.hasBuildVariables(runtime))
    return [
      { at, message: 'would be read by nothing: builds of this runtime run no code, unless the operator allows it' },
    ]
  return names
    .filter((name) => !/^[A-Za-z_]\w{0,199}$/.test(name) || reserved.test(name) || name === 'PATH')
    .map((name) => ({ at, message: `has '${name}', which cannot be set` }))
}

const isRuntime = (name = '') => (runtimeNames as readonly string[]).includes(name)

function buildErrors({ runtime, entryPoint = '', workerPool }: BuildBody = {}, { workerPools }: Offer): Detail[] {
  const at = 'body/buildConfig'
  const pools = workerPools.length > 0 ? `choose one of ${workerPools.join(', ')}` : 'the operator has defined none'
  return [
    ...(!workerPool || workerPools.includes(poolName(workerPool))
      ? []
      : [{ at: `${at}/workerPool`, message: `'${workerPool}' is not a worker pool: ${pools}` }]),
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

function readTrigger(trigger: TriggerBody): Trigger {
  const {
    eventType,
    retryPolicy,
    eventFilters = [],
    pubsubTopic,
    channel,
    triggerRegion,
    serviceAccountEmail,
  } = trigger
  const details = [...sourceErrors(trigger), ...filterErrors(trigger)]
  if (details.length > 0) invalid(details)
  return {
    eventType: eventType as string,
    retryPolicy: retryPolicy === 'RETRY_POLICY_RETRY' ? 'RETRY_POLICY_RETRY' : 'RETRY_POLICY_DO_NOT_RETRY',
    ...(eventFilters.length > 0 && { eventFilters }),
    ...(pubsubTopic && { pubsubTopic }),
    ...(channel && { channel }),
    ...(triggerRegion && { triggerRegion }),
    ...(serviceAccountEmail && { serviceAccountEmail }),
  }
}

/** Types of a channel are its publishers', and so are their attributes. */
function filterErrors({ eventType, channel, eventFilters = [] }: TriggerBody): Detail[] {
  const at = 'body/eventTrigger/eventFilters'
  const known = eventTypes[eventType ?? ''] ?? [] // an unknown type is refused as such
  return eventFilters.flatMap(({ attribute, operator }, index) => [
    ...(eventType === undefined ||
    channel ||
    known.length === 0 ||
    known.some((name) => name.toLowerCase() === attribute.toLowerCase())
      ? []
      : [
          {
            at: `${at}/${index}/attribute`,
            message: `is '${attribute}', which no event of ${eventType} has: filter by ${known.join(', ')}`,
          },
        ]),
    ...(operator && operator !== pathPattern
      ? [{ at: `${at}/${index}/operator`, message: `must be empty or ${pathPattern}` }]
      : []),
  ])
}

function sourceErrors({ eventType, pubsubTopic, channel }: TriggerBody): Detail[] {
  const at = 'body/eventTrigger'
  const missing = eventType === undefined ? [{ at: `${at}/eventType`, message: 'is required' }] : []
  if (channel && !isChannelName(channel))
    return [{ at: `${at}/channel`, message: 'must be a name, such as projects/mine/locations/here/channels/orders' }]
  if (!channel && eventType !== undefined && !Object.hasOwn(eventTypes, eventType))
    return [
      {
        at: `${at}/eventType`,
        message: `is '${eventType}', which nothing here publishes: use ${Object.keys(eventTypes).join(', ')}, or a channel`,
      },
    ]
  if (!channel && (eventType === undefined || eventType === messagePublished))
    return [...missing, ...topicErrors(pubsubTopic)]
  if (channel && eventType !== undefined && Object.hasOwn(eventTypes, eventType))
    return [{ at: `${at}/channel`, message: `must be left out: events of ${eventType} are not published to a channel` }]
  return pubsubTopic
    ? [{ at: `${at}/pubsubTopic`, message: `must be left out: events of ${eventType} are not published to a topic` }]
    : missing
}

const topicErrors = (topic = ''): Detail[] =>
  /^projects\/[a-z0-9][a-z0-9.-]{0,62}\/topics\/[A-Za-z][\w.~+%-]{2,254}$/.test(topic)
    ? []
    : [
        {
          at: 'body/eventTrigger/pubsubTopic',
          message: 'must be the name of a topic, such as projects/mine/topics/orders',
        },
      ]
