/** How names are compared. In one place, so that PostgreSQL's idea of lower case never meets JavaScript's. */
export const keyOf = (name: string) => name.toLowerCase()
