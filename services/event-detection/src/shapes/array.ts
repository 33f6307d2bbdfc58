const plain = /^[\w.:-]+$/

/** An array as PostgreSQL reads it. The driver puts every element in quotes, which takes both sides twice as long. */
export const arrayOf = (values: readonly (string | number | null | undefined)[]) => `{${values.map(element).join(',')}}`

function element(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'number') return String(value)
  return plain.test(value) && !/^null$/i.test(value) ? value : `"${value.replace(/[\\"]/g, '\\$&')}"`
}

/** JSON holds no such character, so documents can be sent in one text: `string_to_array(${documents(...)}, ${documentEnd})`. */
export const documentEnd = '\x1e'
export const documents = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(documentEnd)
