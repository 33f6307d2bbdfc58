import { invalid } from '@icosa/kernel'

/** Parses `state eq 'Enabled' or state eq 'Faulted'`; undefined matches everything. */
export function readFilter<V extends string>(
  filter: string | undefined,
  property: string,
  values: readonly V[],
): V[] | undefined {
  if (filter === undefined || filter.trim() === '') return undefined
  const comparison = new RegExp(`^\\s*(?:properties/)?${property}\\s+eq\\s+'?(\\w+)'?\\s*$`, 'i')
  return filter.split(/\sor\s/i).map((part) => {
    const [, word = ''] = comparison.exec(part) ?? []
    const match = values.find((value) => value.toLowerCase() === word.toLowerCase())
    if (!match) {
      const example = `${property} eq '${values[0]}'`
      invalid([
        {
          at: 'query/$filter',
          message: `must look like ${example}, several joined by or, with the values ${values.join(', ')}`,
        },
      ])
    }
    return match
  })
}
