/** The schemas that `roots` refer to, directly or not. */
export function referredSchemas(roots: unknown, schemas: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const collected: Record<string, unknown> = {}
  const visit = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (name in collected) continue
      collected[name] = schemas[name]
      visit(schemas[name])
    }
  }
  visit(roots)
  return collected
}
