export interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
}

/** Every field that can be written; what an array has is of all of its items. */
export function fieldsOf({ properties, items }: JsonSchema, path: readonly string[] = []): string[] {
  if (items) return fieldsOf(items, path)
  if (!properties) return [path.join('.')]
  return Object.entries(properties).flatMap(([name, schema]) => fieldsOf(schema, [...path, name]))
}

export const valueAt = (value: unknown, path: readonly string[]): unknown => {
  const here = Array.isArray(value) ? value.at(-1) : value
  const [first, ...rest] = path
  return first === undefined || here === undefined ? here : valueAt((here as Record<string, unknown>)[first], rest)
}

/** Sends the fields and answers what is then read; and which of the contract's are not among them, with what happens to those. */
export interface Writing {
  readonly sent: object
  readonly send: () => Promise<unknown>
  readonly read: () => Promise<unknown>
  readonly shown?: object
  readonly elsewhere?: Readonly<Record<string, string>>
}

export const one = (
  sent: object,
  rest: Omit<Writing, 'sent' | 'send'> & { send: (body: never) => Promise<unknown> },
): Writing => ({
  ...rest,
  sent,
  send: () => rest.send(sent as never),
})
