export const serviceName = 'identity-connect'

/** The account page is itself a client. */
export const accountClientId = 'account'

/** Neutral and original spellings. */
export const nameScopes = ['vendor:name', 'aq:name']
export const locationClaims = { neutral: 'vendor:location', original: 'aq:location' } as const

/** Cookies of a sign-in in progress. */
export const shortCookies = ['icosa_interaction', 'icosa_resume'] as const
