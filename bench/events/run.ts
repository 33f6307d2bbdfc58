/** Ingestion rate of messages compared with a bare COPY, evaluation rate, and its dependence on the number of keys. */
import { type Figure, record } from '../figures.ts'
import { evaluation } from './evaluation.ts'
import { flat } from './flat.ts'
import { ingestion } from './ingestion.ts'

const requested = process.argv.slice(2)
const parts = { ingestion, evaluation, flat }
const figures: Figure[] = []
for (const [name, part] of Object.entries(parts))
  if (requested.length === 0 || requested.includes(name)) figures.push(...(await part()))
record(figures)
