/** Normalizes names for comparison. Only here, so that PostgreSQL's lower case never mixes with JavaScript's. */
export const keyOf = (name: string) => name.toLowerCase()
