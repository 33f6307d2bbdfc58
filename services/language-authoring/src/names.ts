export const serviceName = 'language-authoring'

/** The header that carries the key: in the specification's spelling, and in that of the service it describes. */
export const keyHeaders = ['Vendor-Subscription-Key', 'Ocp-Apim-Subscription-Key'] as const

/** A query parameter that carries it where bots and browsers ask for predictions. */
export const keyParameter = 'subscription-key'

/** Where SDKs of the original expect its APIs on a host. */
export const originalRoots = {
  authoring: '/luis/authoring/v3.0-preview',
  prediction: '/luis/prediction/v3.0',
  olderPrediction: '/luis/v2.0',
} as const
