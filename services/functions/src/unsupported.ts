import type { Gap, Gaps } from '@icosa/module'

type Refused = Gap & { readonly answer: 501 }

/** What of the original is not there, or works differently. */
export const unsupported = {
  generation1: {
    name: '`environment` `GEN_1`',
    answer: 501,
    instead: 'Functions here are of the second generation. Leave it out, or send `GEN_2`.',
  },
  upgrades: {
    name: '`setupFunctionUpgradeConfig`, `redirectFunctionUpgradeTraffic`, `rollbackFunctionUpgradeTraffic`, `commitFunctionUpgrade`, `abortFunctionUpgrade`',
    answer: 501,
    instead:
      'They take functions of the first generation to the second, and all functions here are of the second. Update the function instead.',
  },
  kmsKeyName: {
    name: '`kmsKeyName`',
    answer: 501,
    instead: "Sources lie in the operator's blob store, which may encrypt them itself. Leave it out.",
  },
  repoSource: {
    name: '`source.repoSource` and `source.gitUri`',
    answer: 501,
    instead: 'Send a zip to the address of `generateUploadUrl` and name its `storageSource`.',
  },
  buildVariables: {
    name: '`buildConfig.environmentVariables`',
    answer: 501,
    instead: 'A build runs no scripts of yours, so nothing would read them. Leave them out.',
  },
  dockerRegistry: {
    name: '`dockerRegistry` and `dockerRepository`',
    answer: 501,
    instead: 'No container images are made: the built source is kept beside the functions. Leave them out.',
  },
  workerPool: {
    name: '`workerPool`',
    answer: 501,
    instead: "Builds run on the platform's own workers. Leave it out.",
  },
  trafficSplit: {
    name: '`allTrafficOnLatestRevision` `false`',
    answer: 501,
    instead: 'The latest revision takes over when it answers. Leave it out, or send true.',
  },
  loadBalancerIngress: {
    name: '`ingressSettings` `ALLOW_INTERNAL_AND_GCLB`',
    answer: 501,
    instead: 'There is no load balancer of the platform. Send `ALLOW_ALL` or `ALLOW_INTERNAL_ONLY`.',
  },
  serviceAccountEmail: {
    name: '`serviceAccountEmail` of a function or a trigger',
    answer: 501,
    instead: 'Functions get no credential of the platform. Leave it out, and pass what they need as a secret.',
  },
  vpcConnector: {
    name: '`vpcConnector` and `vpcConnectorEgressSettings`',
    answer: 501,
    instead: 'Functions have no network. Leave them out.',
  },
  secretVolumes: {
    name: '`secretVolumes`',
    answer: 501,
    instead: 'Use `secretEnvironmentVariables`.',
  },
  channel: {
    name: '`eventTrigger.channel`',
    answer: 501,
    instead: "Events come from the platform's own services and topics. Leave it out.",
  },
  otherEvents: {
    name: '`eventType` other than `google.cloud.pubsub.topic.v1.messagePublished`',
    answer: 501,
    instead: 'Publish to a topic what functions are to hear of: whatever sends HTTP can do so.',
  },
  auditConfigs: {
    name: '`auditConfigs` of a policy',
    answer: 501,
    instead: 'Every invocation is logged with its id. Leave them out.',
  },
  conditions: {
    name: '`condition` of a binding',
    answer: 501,
    instead: 'Bindings hold without conditions. Leave it out.',
  },
  otherRoles: {
    name: 'Roles other than those of an invoker',
    answer: 501,
    instead:
      'Who may manage functions is decided by permissions of credentials: `icosa keys create --permissions functions:*`. Bind `roles/cloudfunctions.invoker` or `roles/run.invoker`.',
  },
  otherMembers: {
    name: 'Members such as `group:`, `domain:` and `principalSet:`',
    answer: 501,
    instead: 'Name allUsers, allAuthenticatedUsers, `user:ID` or `serviceAccount:ID`, with the id of a credential.',
  },
  queryOptions: {
    name: '`fields`, `alt` and `prettyPrint` in a query',
    answer: 'no effect',
    instead: 'Every answer is whole, in JSON, with words for enumerations.',
  },
  buildName: { name: '`buildConfig.build`', answer: 'never', instead: 'A build has no resource of its own.' },
  satisfiesPzs: { name: '`satisfiesPzs`, `upgradeInfo`', answer: 'never', instead: 'There is nothing to say.' },
} as const satisfies Gaps & Readonly<Record<string, Refused | Gap>>
