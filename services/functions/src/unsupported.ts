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
  repoSource: {
    name: '`source.repoSource` and `source.gitUri`',
    answer: 501,
    instead: 'Send a zip to the URL of `generateUploadUrl` and use its `storageSource`.',
  },
  buildVariables: {
    name: '`buildConfig.environmentVariables` of a build that runs no code',
    answer: 501,
    instead:
      'Builds run pip where the operator has configured a Python index, and scripts where the operator allows them. Otherwise omit them.',
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
  otherEvents: {
    name: '`eventType`s of other products, such as `google.cloud.storage.object.v1.finalized`',
    answer: 501,
    instead:
      'Use `google.cloud.pubsub.topic.v1.messagePublished`, `google.cloud.audit.log.v1.written` or `icosa.resource.v1.created`, `.updated` or `.deleted`, or publish your own to a `channel`.',
  },
  auditConfigs: {
    name: '`auditConfigs` of a policy',
    answer: 501,
    instead: 'Every invocation is logged with its id. Omit them.',
  },
  conditions: {
    name: '`condition` of a binding by anything but `request.time` and `resource.name`',
    answer: 501,
    instead:
      'Join comparisons of `request.time` with a timestamp and of `resource.name` with a text (`==`, `!=`, `startsWith`, `endsWith`) by `&&`.',
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
