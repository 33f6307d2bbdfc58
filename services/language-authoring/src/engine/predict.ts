import { type Unpacked, unpack } from './container.ts'
import { encode, hasWord, tokenRows, wide } from './embed/rows.ts'
import { Layer, type LayerInput } from './entities/layer.ts'
import { Roles } from './entities/roles.ts'
import { Finder, type Skeleton } from './hits/finder.ts'
import { type Hit, overlap, within } from './hits/hit.ts'
import { bindInstances } from './instances.ts'
import { Classifier } from './intents/classifier.ts'
import { hintsFor } from './intents/hints.ts'
import type { ModelHeader } from './model.ts'
import { type PatternMatch, Patterns } from './patterns/patterns.ts'
import type { EntityKind, PredictedEntity, Prediction, Query } from './results.ts'
import { type Token, tokenize } from './text/tokens.ts'
import { Branch, learnedEntities, learnedEntity } from './tree.ts'
import { WorkBudget } from './work.ts'

/** A loaded model. */
export class Model {
  /** Approximate memory, for eviction. */
  readonly bytes: number
  readonly #app: Skeleton
  readonly #intents: string[]
  readonly #finder: Finder
  readonly #classifier: Classifier
  readonly #entities: Layer | undefined
  readonly #composites: Layer | undefined
  readonly #branches = new Map<string, Branch>()
  readonly #roles = new Map<string, Roles>()
  readonly #patterns: Patterns
  readonly #kinds: Map<string, EntityKind>

  constructor(bytes: Uint8Array) {
    const model: Unpacked<ModelHeader> = unpack<ModelHeader>(bytes)
    const { header } = model
    // The dictionaries are about as large as the bytes.
    this.bytes = bytes.length * 2
    this.#app = header.app
    this.#intents = header.intents
    this.#finder = new Finder(header.app)
    this.#classifier = new Classifier(header.classifier, model)
    this.#entities = header.entities && new Layer(header.entities, model)
    this.#composites = header.composites && new Layer(header.composites, model)
    for (const [name, branch] of Object.entries(header.branches)) this.#branches.set(name, new Branch(branch, model))
    for (const [name, roles] of Object.entries(header.roles)) this.#roles.set(name, new Roles(roles, model))
    this.#patterns = new Patterns(header.app, this.#finder.rules)
    this.#kinds = kindsOf(header.app)
  }

  warm(): void {
    this.#finder.warm()
    this.predict({ query: 'warm' })
  }

  predict(query: Query): Prediction {
    const text = query.query
    const tokens = tokenize(text, this.#app.culture)
    const external = (query.externalEntities ?? []).map(
      (entity): Hit => ({
        model: entity.entityName,
        kind: this.#kinds.get(entity.entityName) ?? 'entity',
        type: entity.entityName,
        start: entity.startIndex,
        end: entity.startIndex + entity.entityLength,
        resolution: entity.resolution,
        source: 'external',
      }),
    )
    const work = new WorkBudget()
    const hits = settle(this.#finder.find(text, query, undefined, work), external, query.preferExternalEntities ?? true)
    const rowSize = Math.max(
      this.#entities?.rowSize ?? 0,
      this.#composites?.rowSize ?? 0,
      ...[...this.#branches.values()].map((branch) => branch.rowSize),
    )
    const encoded = rowSize > 0 || this.#classifier.usesEmbedding ? encode(text, this.#app.culture) : undefined
    const rows = encoded && rowSize > 0 ? tokenRows(encoded, tokens, Math.min(rowSize, wide)) : undefined
    const input: LayerInput = { tokens, hits, rows, first: 0, last: tokens.length - 1 }
    const learned = this.#learned(text, input, external, query.preferExternalEntities ?? true)
    const matched = hits.filter(({ kind }) => kind !== 'phrases').map((hit) => this.#entity(text, tokens, hit))
    const bound = bindInstances(this.#app.entities, learned, matched)
    const entities = [
      ...learned,
      ...matched.filter(({ name, start }) => !learned.some((other) => other.name === name && other.start === start)),
    ]
    const matches = this.#patterns.match(text, entities, work)
    applyMatches(entities, matches)
    const composed = this.#compose(text, { ...input, hits: [...hits, ...learned.map(asHit)] }, entities)
    const scores = this.#classifier.classify({
      tokens,
      hints: hintsFor(
        this.#app,
        hits,
        learned.map(({ name }) => name),
      ),
      embedding: encoded?.sentence,
      hasWord: encoded !== undefined && hasWord(encoded, tokens),
    })
    const intents = this.#intents.map((name, i) => ({ name, score: scores[i] ?? 0 }))
    for (const { intent, coverage } of matches) {
      const best = intents.find(({ name }) => name === intent)
      if (best) best.score += (1 - best.score) * (coverage === 1 ? 0.99 : 0.9 * coverage * coverage)
    }
    const certain = matches.filter(({ coverage }) => coverage === 1).map(({ intent }) => intent)
    intents.sort((a, b) => Number(certain.includes(b.name)) - Number(certain.includes(a.name)) || b.score - a.score)
    return {
      query: text,
      topIntent: intents[0]?.name ?? 'None',
      intents,
      entities: composed
        .filter((entity) => !bound.has(entity) || entity.role !== undefined)
        .sort((a, b) => a.start - b.start || b.length - a.length),
    }
  }

  #learned(text: string, input: LayerInput, external: readonly Hit[], preferExternal: boolean): PredictedEntity[] {
    const entities = this.#entities ? learnedEntities(text, input, this.#entities, this.#branches) : []
    for (const entity of entities) if (entity.name.includes('::')) entity.kind = 'hierarchical'
    if (!preferExternal) return entities
    return entities.filter(
      (entity) =>
        !external.some(
          (other) =>
            other.model === entity.name && overlap(other, { start: entity.start, end: entity.start + entity.length }),
        ),
    )
  }

  #entity(text: string, tokens: readonly Token[], hit: Hit): PredictedEntity {
    const role = this.#roles.get(hit.model)?.roleOf(tokens, hit.start, hit.end)
    return {
      name: hit.model,
      kind: hit.kind as EntityKind,
      type: hit.type,
      ...(role === undefined ? {} : { role }),
      start: hit.start,
      length: hit.end - hit.start,
      text: text.slice(hit.start, hit.end),
      ...(hit.resolution === undefined ? {} : { resolution: hit.resolution }),
      children: [],
      source: hit.source,
    }
  }

  /** Moves entities into the composites that contain them; empty composites are dropped. */
  #compose(text: string, input: LayerInput, entities: readonly PredictedEntity[]): PredictedEntity[] {
    if (!this.#composites) return [...entities]
    const rest = new Set(entities)
    const composed: PredictedEntity[] = []
    for (const match of this.#composites.find(input)) {
      const { entity: whole } = match.kind
      const start = input.tokens[match.first]?.start ?? 0
      const end = input.tokens[match.last]?.end ?? start
      const names = new Set(this.#app.composites.find(({ name }) => name === whole)?.children.map(({ name }) => name))
      const children = [...rest].filter(
        (entity) =>
          names.has(entity.name) && within({ start: entity.start, end: entity.start + entity.length }, { start, end }),
      )
      if (children.length === 0) continue
      for (const child of children) rest.delete(child)
      const role = this.#roles.get(whole)?.roleOf(input.tokens, start, end)
      composed.push(learnedEntity(text, input, match, { kind: 'composite', role, children }))
    }
    return [...composed, ...rest]
  }
}

const asHit = (entity: PredictedEntity): Hit => ({
  model: entity.name,
  kind: 'entity',
  type: entity.name,
  start: entity.start,
  end: entity.start + entity.length,
  source: entity.source,
})

/** Resolves overlaps of the same entity in favour of the caller's or the model's. */
function settle(hits: readonly Hit[], external: readonly Hit[], preferExternal: boolean): Hit[] {
  const clash = (a: Hit, b: Hit) => a.model === b.model && overlap(a, b)
  return preferExternal
    ? [...hits.filter((hit) => !external.some((other) => clash(hit, other))), ...external]
    : [...hits, ...external.filter((other) => !hits.some((hit) => clash(hit, other)))]
}

/** Adds roles, and pattern.any entities, from patterns. */
function applyMatches(entities: PredictedEntity[], matches: readonly PatternMatch[]): void {
  const key = ({ name, start, length }: PredictedEntity) => `${start} ${length} ${name}`
  const byRange = new Map(entities.toReversed().map((entity) => [key(entity), entity]))
  for (const match of matches.flatMap((each) => each.entities)) {
    const same = byRange.get(key(match))
    if (!same) {
      byRange.set(key(match), match)
      entities.push(match)
    } else if (match.role !== undefined) same.role = match.role
  }
}

function kindsOf(app: Skeleton): Map<string, EntityKind> {
  const kinds = new Map<string, EntityKind>()
  for (const { name } of app.entities) kinds.set(name, 'entity')
  for (const { name } of app.hierarchicals) kinds.set(name, 'hierarchical')
  for (const { name } of app.composites) kinds.set(name, 'composite')
  for (const { name } of app.closedLists) kinds.set(name, 'list')
  for (const { name } of app.regex_entities) kinds.set(name, 'regex')
  for (const { name } of app.patternAnyEntities) kinds.set(name, 'pattern.any')
  for (const { name } of app.prebuiltEntities) kinds.set(name, 'prebuilt')
  return kinds
}
