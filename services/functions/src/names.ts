export const serviceName = 'functions'

/** Type names, by which clients select their classes. */
const types = 'type.googleapis.com/google.cloud.functions.v2.'
export const functionType = `${types}Function`
export const operationMetadataType = `${types}OperationMetadata`

/** Domain of errors. */
export const domain = 'cloudfunctions.googleapis.com'

/** Paths at the root of the host: clients cannot be given a prefix. */
export const roots = ['/v2/projects/', '/v2/operations/', '/v1/projects/'] as const

/** One client requests policies and locations in v1, with the same bodies. */
export const spellings = { '/v2/projects/': ['/v1/projects/'] } as const

/** Type of a function in the registry. */
export const resourceType = 'cloudfunctions.googleapis.com/Function'

export const functionName = (project: string, location: string, id: string) =>
  `projects/${project}/locations/${location}/functions/${id}`

export const operationName = (project: string, location: string, id: string) =>
  `projects/${project}/locations/${location}/operations/${id}`

/** Bucket name shown to clients. */
export const uploadBucket = (project: string, location: string) => `gcf-v2-uploads-${project}-${location}`
