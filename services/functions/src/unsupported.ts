import type { Gap, Gaps } from '@icosa/module'

type Refused = Gap & { readonly answer: 501 }

export const unsupported = {
  generation1: {
    name: '`environment` `GEN_1`',
    answer: 501,
    instead: 'All functions are second-generation. Omit it, or send `GEN_2`.',
  },
  upgrades: {
    name: '`setupFunctionUpgradeConfig`, `redirectFunctionUpgradeTraffic`, `rollbackFunctionUpgradeTraffic`, `commitFunctionUpgrade`, `abortFunctionUpgrade`',
    answer: 501,
    instead:
      'They upgrade first-generation functions, and all functions here are second-generation. Update the function instead.',
  },
  kmsKeyName: {
    name: '`kmsKeyName`',
    answer: 501,
    instead: "Sources are in the operator's blob store, which may encrypt them. Omit it.",
  },
  repoSource: {
    name: '`source.repoSource` and `source.gitUri`',
    answer: 501,
    instead: 'Send a zip to the URL of `generateUploadUrl` and use its `storageSource`.',
  },
  buildVariables: {
    name: '`buildConfig.environmentVariables`',
    answer: 501,
    instead: 'Builds run no scripts that could read them. Omit them.',
  },
  dockerRegistry: {
    name: '`dockerRegistry` and `dockerRepository`',
    answer: 501,
    instead: 'No container images are built. Omit them.',
  },
  workerPool: {
    name: '`workerPool`',
    answer: 501,
    instead: "Builds run on the platform's own workers. Omit it.",
  },
  trafficSplit: {
    name: '`allTrafficOnLatestRevision` `false`',
    answer: 501,
    instead: 'The latest revision takes over once it is ready. Omit it, or send true.',
  },
  loadBalancerIngress: {
    name: '`ingressSettings` `ALLOW_INTERNAL_AND_GCLB`',
    answer: 501,
    instead: 'The platform has no load balancer. Send `ALLOW_ALL` or `ALLOW_INTERNAL_ONLY`.',
  },
  serviceAccountEmail: {
    name: '`serviceAccountEmail` of a function or a trigger',
    answer: 501,
    instead: 'Functions get no credential of the platform. Omit it, and pass credentials as secrets.',
  },
  vpcConnector: {
    name: '`vpcConnector` and `vpcConnectorEgressSettings`',
    answer: 501,
    instead: 'Functions have no network access. Omit them.',
  },
  secretVolumes: {
    name: '`secretVolumes`',
    answer: 501,
    instead: 'Use `secretEnvironmentVariables`.',
  },
  channel: {
    name: '`eventTrigger.channel`',
    answer: 501,
    instead: "Events come from the platform's own topics. Omit it.",
  },
  otherEvents: {
    name: '`eventType` other than `google.cloud.pubsub.topic.v1.messagePublished`',
    answer: 501,
    instead: 'Publish messages to a topic instead, which any HTTP client can do.',
  },
  auditConfigs: {
    name: '`auditConfigs` of a policy',
    answer: 501,
    instead: 'Every invocation is logged with its id. Omit them.',
  },
  conditions: {
    name: '`condition` of a binding',
    answer: 501,
    instead: 'Bindings are unconditional. Omit it.',
  },
  otherRoles: {
    name: 'Roles other than invoker',
    answer: 501,
    instead:
      'Managing functions requires permissions of a credential: `icosa keys create --permissions functions:*`. Bind `roles/cloudfunctions.invoker` or `roles/run.invoker`.',
  },
  otherMembers: {
    name: 'Members such as `group:`, `domain:` and `principalSet:`',
    answer: 501,
    instead: 'Use allUsers, allAuthenticatedUsers, `user:ID` or `serviceAccount:ID`, with the id of a credential.',
  },
  queryOptions: {
    name: '`fields`, `alt` and `prettyPrint` in a query',
    answer: 'no effect',
    instead: 'Responses are complete JSON, with names for enumerations.',
  },
  buildName: { name: '`buildConfig.build`', answer: 'never', instead: 'Builds are not resources.' },
  satisfiesPzs: { name: '`satisfiesPzs`, `upgradeInfo`', answer: 'never', instead: 'Not applicable.' },
} as const satisfies Gaps & Readonly<Record<string, Refused | Gap>>
