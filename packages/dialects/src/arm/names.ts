/** Normalizes names for comparison. Only here, so that PostgreSQL's lower case never mixes with JavaScript's. */
export const keyOf = (name: string) => name.toLowerCase()

/** Subscription and group with which the console starts, in development mode. */
export const demoScope = { subscriptionId: '00000000-0000-0000-0000-000000000001', resourceGroupName: 'demo' }
