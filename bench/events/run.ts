/** How fast messages are taken against COPY alone, how fast they are evaluated, and whether that depends on how many keys there are. */
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
