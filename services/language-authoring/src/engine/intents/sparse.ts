/** Sparse matrix of sentences and features. */
export interface Rows {
  starts: Int32Array
  columns: Int32Array
  values: Float32Array
}

export type Dictionary = Map<number, number>

/** Drops features of fewer than `minCount` sentences. */
export function dictionaryOf(
  sentences: readonly Map<number, number>[],
  minCount: number,
): { dictionary: Dictionary; idf: Float32Array } {
  const counts = new Map<number, number>()
  for (const sentence of sentences) for (const key of sentence.keys()) counts.set(key, (counts.get(key) ?? 0) + 1)
  const dictionary: Dictionary = new Map()
  const idf: number[] = []
  for (const [key, count] of counts) {
    if (count < minCount) continue
    dictionary.set(key, dictionary.size)
    idf.push(Math.log((1 + sentences.length) / count) / Math.log(1 + sentences.length))
  }
  return { dictionary, idf: Float32Array.from(idf) }
}

export function toRows(sentences: readonly Map<number, number>[], dictionary: Dictionary, idf: Float32Array): Rows {
  const starts = new Int32Array(sentences.length + 1)
  const columns: number[] = []
  const values: number[] = []
  sentences.forEach((sentence, i) => {
    for (const [key, value] of sentence) {
      const column = dictionary.get(key)
      if (column === undefined) continue
      columns.push(column)
      values.push(value * (idf[column] as number))
    }
    starts[i + 1] = columns.length
  })
  return { starts, columns: Int32Array.from(columns), values: Float32Array.from(values) }
}
