/** Every original spelling, nowhere else. */
export const serviceName = 'functions'

/** Clients find their own classes by these names. */
const types = 'type.googleapis.com/google.cloud.functions.v2.'
export const functionType = `${types}Function`
export const operationMetadataType = `${types}OperationMetadata`

/** By which errors say where they come from. */
export const domain = 'cloudfunctions.googleapis.com'

/** Clients know a host and no path before these. */
export const roots = ['/v2/projects/', '/v2/operations/', '/v1/projects/'] as const

/** One client asks for policies and locations in the first version, with the same bodies. */
export const spellings = { '/v2/projects/': ['/v1/projects/'] } as const

/** How the registry of resources knows a function. */
export const resourceType = 'cloudfunctions.googleapis.com/Function'

export const functionName = (project: string, location: string, id: string) =>
  `projects/${project}/locations/${location}/functions/${id}`

export const operationName = (project: string, location: string, id: string) =>
  `projects/${project}/locations/${location}/operations/${id}`

/** Where uploads are said to be. */
export const uploadBucket = (project: string, location: string) => `gcf-v2-uploads-${project}-${location}`
