/** Lets a client use the platform on behalf of the user. */
export const platformScope = 'platform'
