export const serviceName = 'identity-connect'

/** Every spelling that carries the original maker's name; nowhere else. The neutral one comes first. */
export const nameScopes = ['vendor:name', 'aq:name']
export const pushScopes = ['vendor:push', 'aq:push']
export const locationClaims = { neutral: 'vendor:location', original: 'aq:location' } as const
