/** The header that carries the key: in the specification's spelling, and in that of the service it describes. */
export const keyHeaders = ['X-Vendor-Api-Secret', 'X-Funtranslations-Api-Secret'] as const

/** The query parameter that carries the key where the original's documentation puts it. */
export const keyParameter = 'api_key'
