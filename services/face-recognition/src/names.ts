export const serviceName = 'face-recognition'

/** Header of the key, in the specification's spelling and in the original's. */
export const keyHeaders = ['Vendor-Subscription-Key', 'Ocp-Apim-Subscription-Key'] as const

/** Base path that SDKs of the original expect. */
export const originalRoot = '/face/v1.0'
