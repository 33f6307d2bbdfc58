/** What a person allows a client that wants to use the platform in their name. */
export const platformScope = 'platform'
