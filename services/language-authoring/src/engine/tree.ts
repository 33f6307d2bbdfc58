import type { Arrays, Unpacked } from './container.ts'
import type { Child, Label } from './document.ts'
import {
  type Kind,
  Layer,
  type LayerExample,
  type LayerHeader,
  type LayerInput,
  type Match,
  trainLayer,
} from './entities/layer.ts'
import type { Hit } from './hits/hit.ts'
import { disjoint, tokensOf } from './labels.ts'
import type { Pace } from './pace.ts'
import { relatedOfAll } from './relations.ts'
import type { EntityKind, PredictedEntity } from './results.ts'
import type { Token } from './text/tokens.ts'

/** A layer for the children of an entity, trained on the labels inside it. */
export interface BranchHeader {
  layer: LayerHeader
  /** By the child's name. */
  branches: Record<string, BranchHeader>
}

/** A labelled parent entity in its sentence. */
export interface Place {
  tokens: readonly Token[]
  hits: readonly Hit[]
  rows: Float32Array | undefined
  first: number
  last: number
  children: readonly Label[]
}

const kindOf = (child: Child): Kind => ({ entity: child.name, related: relatedOfAll(child) })

export async function trainBranch(
  children: readonly Child[],
  places: readonly Place[],
  everywhere: ReadonlySet<string>,
  arrays: Arrays,
  pace: Pace,
): Promise<BranchHeader> {
  const kinds = children.map(kindOf)
  const inside = new Map<string, Place[]>()
  const examples = places.map((place): LayerExample => {
    const spans = place.children.flatMap((label) => {
      const kind = children.findIndex(({ name }) => name === label.entity)
      const covered = tokensOf(label, place.tokens)
      if (kind < 0 || !covered) return []
      const first = Math.max(covered.first, place.first)
      const last = Math.min(covered.last, place.last)
      if (last < first) return []
      const own = { ...place, first, last, children: label.children ?? [] }
      inside.set(label.entity, [...(inside.get(label.entity) ?? []), own])
      return [{ kind, first, last }]
    })
    return { ...place, spans: disjoint(spans) }
  })
  const branches: [string, BranchHeader][] = []
  for (const child of children)
    if (child.children && child.children.length > 0)
      branches.push([
        child.name,
        await trainBranch(child.children, inside.get(child.name) ?? [], everywhere, arrays, pace),
      ])
  return { layer: await trainLayer(kinds, examples, everywhere, arrays, pace), branches: Object.fromEntries(branches) }
}

export class Branch {
  readonly #layer: Layer
  readonly #branches = new Map<string, Branch>()

  constructor(header: BranchHeader, model: Unpacked<unknown>) {
    this.#layer = new Layer(header.layer, model)
    for (const [name, branch] of Object.entries(header.branches)) this.#branches.set(name, new Branch(branch, model))
  }

  get rowSize(): number {
    return this.#layer.rowSize
  }

  find(text: string, input: LayerInput): PredictedEntity[] {
    return learnedEntities(text, input, this.#layer, this.#branches)
  }
}

/** Finds the entities of a layer, and their parts. */
export const learnedEntities = (
  text: string,
  input: LayerInput,
  layer: Layer,
  branches: ReadonlyMap<string, Branch>,
): PredictedEntity[] =>
  layer.find(input).map((match) => {
    const { kind, first, last } = match
    const children = branches.get(kind.entity)?.find(text, { ...input, first, last }) ?? []
    return learnedEntity(text, input, match, { kind: 'entity', role: kind.role, children })
  })

interface EntityDetails {
  readonly kind: EntityKind
  readonly role: string | undefined
  readonly children: PredictedEntity[]
}

export function learnedEntity(
  text: string,
  { tokens }: LayerInput,
  { kind: { entity }, first, last, score }: Match,
  { kind, role, children }: EntityDetails,
): PredictedEntity {
  const start = tokens[first]?.start ?? 0
  const end = tokens[last]?.end ?? start
  return {
    name: entity,
    kind,
    type: entity,
    ...(role === undefined ? {} : { role }),
    start,
    length: end - start,
    text: text.slice(start, end),
    score,
    children,
    source: 'model',
  }
}
