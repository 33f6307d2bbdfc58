/** Header of the key, in the specification's spelling and in the original's. */
export const keyHeaders = ['X-Vendor-Api-Secret', 'X-Funtranslations-Api-Secret'] as const

/** Query parameter of the key, as in the original's documentation. */
export const keyParameter = 'api_key'
