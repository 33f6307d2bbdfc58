import type { Gap, Gaps } from '@icosa/module'

type Refused = Gap & { readonly answer: 501 }

export const unsupported = {
  generation1: {
    name: '`environment` `GEN_1`, with `source.gitUri`, `dockerRegistry` `CONTAINER_REGISTRY` and the upgrades from it (`setupFunctionUpgradeConfig`, `redirectFunctionUpgradeTraffic`, `rollbackFunctionUpgradeTraffic`, `commitFunctionUpgrade`, `abortFunctionUpgrade`)',
    answer: 501,
    instead:
      'They belong to first-generation functions in the original as well, and all functions here are second-generation, so none is left to upgrade. Send `GEN_2` or omit them; `moveTraffic` rolls back.',
  },
  repoSource: {
    name: '`source.repoSource`',
    answer: 501,
    instead:
      'It names a repository of a product that the original has closed to new customers, and no service here hosts repositories. Send a zip to the URL of `generateUploadUrl` and use its `storageSource`.',
  },
  dockerRepository: {
    name: '`dockerRepository`',
    answer: 501,
    instead:
      'Functions run from an artifact in the storage of their tenant, not from an image, and no service here is a registry of images. Omit it.',
  },
  dockerRegistry: {
    name: '`dockerRegistry` `ARTIFACT_REGISTRY`',
    answer: 'no effect',
    instead:
      'It is the only registry of second-generation functions in the original. Artifacts are in the storage of their tenant.',
  },
  buildVariables: {
    name: '`buildConfig.environmentVariables` of a build that runs no code',
    answer: 400,
    instead:
      'Nothing would read them. Builds run pip where the operator has configured a Python index, and scripts where the operator allows them.',
  },
  otherEvents: {
    name: '`eventType`s of other products, such as `google.cloud.storage.object.v1.finalized`',
    answer: 400,
    instead:
      'No service here publishes them; the message lists the types of this platform. Publish events of any type to a `channel` yourself.',
  },
  conditions: {
    name: '`condition` of a binding: attributes and functions of CEL beyond the ones listed above',
    answer: 400,
    instead:
      'Requests and functions here have no other attributes. The message names the part that cannot be evaluated.',
  },
  otherMembers: {
    name: 'Members such as `group:`, `domain:` and `principalSet:`',
    answer: 400,
    instead:
      'There are no groups, domains and pools, so none exists to be bound, as with names of missing groups in the original. Use `user:ID` or `serviceAccount:ID`.',
  },
  queryOptions: {
    name: '`fields`, `alt` and `prettyPrint` in a query',
    answer: 'no effect',
    instead: 'Responses are complete JSON, with names for enumerations.',
  },
  buildName: { name: '`buildConfig.build`', answer: 'never', instead: 'Builds are not resources.' },
  satisfiesPzs: { name: '`satisfiesPzs`, `upgradeInfo`', answer: 'never', instead: 'Not applicable.' },
} as const satisfies Gaps & Readonly<Record<string, Refused | Gap>>
