import type { ObjectSchema, Properties } from '@icosa/contract'
import { invalid } from '@icosa/kernel'

/** Takes of an item the fields that a caller names; all of them if it names none. */
export function selecting<P extends Properties>(
  { properties }: ObjectSchema<P>,
  names: string | undefined,
): <T extends object>(item: T) => Partial<T> {
  if (names === undefined || names === '') return (item) => item
  const chosen = names.split(',').map((name) => name.trim().toLowerCase())
  const wrong = chosen.filter((name) => !Object.hasOwn(properties, name))
  if (wrong.length > 0)
    invalid([
      { at: 'query/$select', message: `can have ${Object.keys(properties).join(', ')}, not ${wrong.join(', ')}` },
    ])
  return <T extends object>(item: T) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => chosen.includes(name))) as Partial<T>
}
