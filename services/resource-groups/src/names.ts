export const serviceName = 'resource-groups'

/** The name in a signature's scope, and in the names of resources. */
export const signingNames = ['resource-groups'] as const

/** The type of a group itself, among the platform's resources. */
export const groupType = 'AWS::ResourceGroups::Group'

/** Stands for every type in a query. */
export const allTypes = 'AWS::AllSupported'

export const tagQuery = 'TAG_FILTERS_1_0'
export const stackQuery = 'CLOUDFORMATION_STACK_1_0'

/** The tags by which a resource says of which stack it is. */
export const stackTags = ['aws:cloudformation:stack-id', 'aws:cloudformation:stack-name'] as const

export const stackNotExisting = 'CLOUDFORMATION_STACK_NOT_EXISTING'
export const queryErrorCodes = [
  'CLOUDFORMATION_STACK_INACTIVE',
  stackNotExisting,
  'CLOUDFORMATION_STACK_UNASSUMABLE_ROLE',
  'RESOURCE_TYPE_NOT_SUPPORTED',
] as const

/** What a caller must be allowed beside the operation to see what a query finds. */
export const permissionsOfQuery = {
  [tagQuery]: ['tag:GetResources'],
  [stackQuery]: ['cloudformation:DescribeStacks', 'cloudformation:ListStackResources'],
} as const

export const hostManagement = 'AWS::EC2::HostManagement'
export const capacityPool = 'AWS::EC2::CapacityReservationPool'
export const applicationGroup = 'AWS::ResourceGroups::ApplicationGroup'
export const generic = 'AWS::ResourceGroups::Generic'

/** What groups of these types can hold, and nothing else. */
export const memberTypes: ReadonlyMap<string, string> = new Map([
  [hostManagement, 'AWS::EC2::Host'],
  [capacityPool, 'AWS::EC2::CapacityReservation'],
])

/** Configuration types in our words, each with the one that is kept and shown. */
export const neutralTypes: ReadonlyMap<string, string> = new Map([
  ['host-management', hostManagement],
  ['capacity-reservation-pool', capacityPool],
  ['application-group', applicationGroup],
  ['generic', generic],
])

/** Keys that only the platform may set. */
export const reservedPrefix = 'aws:'

/** How names of groups may not begin. */
export const reservedName = 'aws'

export const eventSource = 'aws.resource-groups'
export const stateChangeType = 'ResourceGroups Group State Change'
export const membershipChangeType = 'ResourceGroups Group Membership Change'
