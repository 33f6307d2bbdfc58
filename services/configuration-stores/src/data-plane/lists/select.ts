import type { ObjectSchema, Properties } from '@icosa/contract'
import { invalid } from '@icosa/kernel'

/** Projects items to the fields that a caller names, or to all. */
export function selecting<P extends Properties>(
  { properties }: ObjectSchema<P>,
  names: string | undefined,
): <T extends object>(item: T) => Partial<T> {
  if (names === undefined || names === '') return (item) => item
  const fields = names.split(',').map((name) => name.trim().toLowerCase())
  const unknown = fields.filter((name) => !Object.hasOwn(properties, name))
  if (unknown.length > 0)
    invalid([
      { at: 'query/$select', message: `can have ${Object.keys(properties).join(', ')}, not ${unknown.join(', ')}` },
    ])
  return <T extends object>(item: T) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => fields.includes(name))) as Partial<T>
}
