import type { Gaps } from '@icosa/module'

export const unsupported = {
  otherAccounts: {
    name: 'groups of another account or region',
    answer: 404,
    instead: "An ARN must be of the caller's account and the platform's region.",
  },
  roleArn: {
    name: '`RoleArn` of a tag-sync task',
    answer: 'no effect',
    instead: 'It is stored and shown. Starting a task requires the permissions that its query requires.',
  },
  hostParameters: {
    name: '`auto-allocate-host`, `auto-release-host`, `allowed-host-families` and the license parameters of `AWS::EC2::HostManagement`',
    answer: 'no effect',
    instead: 'They are validated and stored. The platform has no hosts.',
  },
  hosts: {
    name: 'groups of `AWS::EC2::Host` and `AWS::EC2::CapacityReservation`',
    answer: 'differs',
    instead: 'They are empty until a service registers such resources.',
  },
  types: {
    name: 'resource types',
    answer: 'differs',
    instead: 'They are those that services of this platform register. Others are `RESOURCE_TYPE_NOT_SUPPORTED`.',
  },
  stacks: {
    name: 'stacks (`CLOUDFORMATION_STACK_1_0`)',
    answer: 'differs',
    instead:
      'A stack is a resource group of the management services, or the value of a tag. It exists only through its resources.',
  },
  putConfiguration: {
    name: '202 for `put-group-configuration`',
    answer: 'differs',
    instead: 'It is 200, as the specification says.',
  },
  events: {
    name: "events on the original vendor's event bus",
    answer: 'differs',
    instead: "They are sent to the operator's address, or written to the log.",
  },
  memberships: {
    name: 'an event for every membership change',
    answer: 'differs',
    instead:
      'Members are compared once a minute: shorter memberships cause no events, nor do groups of more than 5,000 members.',
  },
  queryErrors: {
    name: '`CLOUDFORMATION_STACK_INACTIVE` and `CLOUDFORMATION_STACK_UNASSUMABLE_ROLE`',
    answer: 'never',
    instead: 'A stack without resources is `CLOUDFORMATION_STACK_NOT_EXISTING`.',
  },
  skipped: { name: '`SKIPPED` in grouping statuses', answer: 'never', instead: 'Nothing is skipped.' },
} as const satisfies Gaps
