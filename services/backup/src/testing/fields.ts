export interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
}

/** Paths of all fields; those of an array are the fields of its items. */
export function fieldsOf({ properties, items }: JsonSchema, path: readonly string[] = []): string[] {
  if (items) return fieldsOf(items, path)
  if (!properties) return [path.join('.')]
  return Object.entries(properties).flatMap(([name, schema]) => fieldsOf(schema, [...path, name]))
}

export const valueAt = (value: unknown, path: readonly string[]): unknown => {
  const current = Array.isArray(value) ? value.at(-1) : value
  const [first, ...rest] = path
  return first === undefined || current === undefined
    ? current
    : valueAt((current as Record<string, unknown>)[first], rest)
}

/** Fields to write, how to write and read them, and why other fields of the contract are not among them. */
export interface Writing {
  readonly sent: object
  readonly send: () => Promise<unknown>
  readonly read: () => Promise<unknown>
  readonly shown?: object
  readonly elsewhere?: Readonly<Record<string, string>>
}

export const writing = (
  sent: object,
  rest: Omit<Writing, 'sent' | 'send'> & { send: (body: never) => Promise<unknown> },
): Writing => ({
  ...rest,
  sent,
  send: () => rest.send(sent as never),
})
