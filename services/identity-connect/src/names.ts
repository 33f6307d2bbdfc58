export const serviceName = 'identity-connect'

/** The account page is a client like any other. */
export const accountClientId = 'account'

/** Every spelling that carries the original maker's name; nowhere else. The neutral one comes first. */
export const nameScopes = ['vendor:name', 'aq:name']
export const locationClaims = { neutral: 'vendor:location', original: 'aq:location' } as const

/** Cookies of a sign-in that is under way. */
export const shortCookies = ['icosa_interaction', 'icosa_resume'] as const
