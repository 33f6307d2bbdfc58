export const serviceName = 'language-authoring'

/** Header of the key, in the specification's spelling and in the original's. */
export const keyHeaders = ['Vendor-Subscription-Key', 'Ocp-Apim-Subscription-Key'] as const

/** Query parameter of the key for predictions, used by bots and browsers. */
export const keyParameter = 'subscription-key'

/** Base paths that SDKs of the original expect. */
export const originalRoots = {
  authoring: '/luis/authoring/v3.0-preview',
  prediction: '/luis/prediction/v3.0',
  olderPrediction: '/luis/v2.0',
} as const
