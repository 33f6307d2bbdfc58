export const serviceName = 'resource-groups'

/** The service name in signature scopes and ARNs. */
export const signingNames = ['resource-groups'] as const

/** The type of groups in the platform's registry. */
export const groupType = 'AWS::ResourceGroups::Group'

/** Matches every type in a query. */
export const allTypes = 'AWS::AllSupported'

export const tagQuery = 'TAG_FILTERS_1_0'
export const stackQuery = 'CLOUDFORMATION_STACK_1_0'

/** Tags that assign a resource to a stack. */
export const stackTags = ['aws:cloudformation:stack-id', 'aws:cloudformation:stack-name'] as const

export const stackNotExisting = 'CLOUDFORMATION_STACK_NOT_EXISTING'
export const queryErrorCodes = [
  'CLOUDFORMATION_STACK_INACTIVE',
  stackNotExisting,
  'CLOUDFORMATION_STACK_UNASSUMABLE_ROLE',
  'RESOURCE_TYPE_NOT_SUPPORTED',
] as const

/** Permissions that the results of a query require in addition to the operation's. */
export const permissionsOfQuery = {
  [tagQuery]: ['tag:GetResources'],
  [stackQuery]: ['cloudformation:DescribeStacks', 'cloudformation:ListStackResources'],
} as const

export const hostManagement = 'AWS::EC2::HostManagement'
export const capacityPool = 'AWS::EC2::CapacityReservationPool'
export const applicationGroup = 'AWS::ResourceGroups::ApplicationGroup'
export const generic = 'AWS::ResourceGroups::Generic'

/** The only member type of groups with these configurations. */
export const memberTypes: ReadonlyMap<string, string> = new Map([
  [hostManagement, 'AWS::EC2::Host'],
  [capacityPool, 'AWS::EC2::CapacityReservation'],
])

/** Neutral names of configuration types, each with its canonical one. */
export const neutralTypes: ReadonlyMap<string, string> = new Map([
  ['host-management', hostManagement],
  ['capacity-reservation-pool', capacityPool],
  ['application-group', applicationGroup],
  ['generic', generic],
])

/** Prefix of tag keys that only the platform may set. */
export const reservedPrefix = 'aws:'

/** Reserved prefix of group names. */
export const reservedName = 'aws'

export const eventSource = 'aws.resource-groups'
export const stateChangeType = 'ResourceGroups Group State Change'
export const membershipChangeType = 'ResourceGroups Group Membership Change'
