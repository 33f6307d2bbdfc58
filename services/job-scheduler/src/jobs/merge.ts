const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a PATCH leaves: objects are merged member by member, anything else is replaced. */
export function merged<T extends object>(base: object, change: T): T {
  const result: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(change)) {
    const before = result[name]
    result[name] = isObject(value) && isObject(before) ? merged(before, value) : value
  }
  return result as T // both have the members of T, where they have them
}
