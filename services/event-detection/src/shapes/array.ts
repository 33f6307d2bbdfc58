const plain = /^[\w.:-]+$/

/** Array literal of PostgreSQL. Twice as fast as the driver, which quotes every element. */
export const arrayOf = (values: readonly (string | number | null | undefined)[]) => `{${values.map(element).join(',')}}`

function element(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'number') return String(value)
  return plain.test(value) && !/^null$/i.test(value) ? value : `"${value.replace(/[\\"]/g, '\\$&')}"`
}

/** Separates JSON documents in one parameter: `string_to_array(${documents(...)}, ${documentEnd})`. */
export const documentEnd = '\x1e'
export const documents = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(documentEnd)
