export const serviceName = 'face-recognition'

/** The header that carries the key: in the specification's spelling, and in that of the service it describes. */
export const keyHeaders = ['Vendor-Subscription-Key', 'Ocp-Apim-Subscription-Key'] as const

/** Where SDKs of the original expect the API on a host. */
export const originalRoot = '/face/v1.0'
