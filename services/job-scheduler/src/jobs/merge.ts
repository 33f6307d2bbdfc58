const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Merges objects recursively; anything else is replaced. */
export function merged<T extends object>(base: object, change: T): T {
  const result: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(change)) {
    const current = result[name]
    result[name] = isObject(value) && isObject(current) ? merged(current, value) : value
  }
  return result as T // both have only members of T
}
