import { Arrays, pack } from './container.ts'
import type { AppDocument, Label } from './document.ts'
import { encode, rowSize, tokenRows } from './embed/rows.ts'
import { type Kind, type LayerExample, type LayerHeader, trainLayer } from './entities/layer.ts'
import { type RoleExample, type RoleHeader, trainRoles } from './entities/roles.ts'
import { Finder, type Skeleton } from './hits/finder.ts'
import type { Hit } from './hits/hit.ts'
import { type Example, trainClassifier } from './intents/classifier.ts'
import { hintsFor, intentScopes, maskedTokens } from './intents/hints.ts'
import { disjoint, flattened, tokensOf } from './labels.ts'
import type { ModelHeader } from './model.ts'
import { Pace } from './pace.ts'
import { globalPhrases, relatedModels, relatedOf, relatedOfAll } from './relations.ts'
import { type Token, tokenize } from './text/tokens.ts'
import { type BranchHeader, type Place, trainBranch } from './tree.ts'

export interface TrainOptions {
  signal?: AbortSignal
  /** Called with a share from 0 to 1. */
  onProgress?: (done: number) => void
}

interface Prepared {
  intent: string
  tokens: Token[]
  labels: Label[]
  hits: Hit[]
  embedding: Float32Array | undefined
  rows: Float32Array | undefined
}

/** Deterministic. Yields to the event loop between steps; throws the signal's reason. */
export async function train(app: AppDocument, options: TrainOptions = {}): Promise<Uint8Array> {
  const pace = new Pace(options.signal, options.onProgress)
  const { utterances, ...skeleton } = app
  const arrays = new Arrays()
  const everywhere = globalPhrases(skeleton)
  pace.progress(0)
  const sentences = await prepare(skeleton, utterances, pace)
  const intents = intentsOf(skeleton)
  const classifier = await trainClassifier(
    intentExamples(skeleton, intents, sentences),
    { classes: intents.length, none: noneOf(intents) },
    intentScopes(skeleton, intents),
    arrays,
    pace,
  )
  pace.progress(0.6)
  const header: ModelHeader = { app: skeleton, intents, classifier, branches: {}, roles: {} }
  const entities = await trainEntities(entityKinds(skeleton, sentences), sentences, everywhere, arrays, pace)
  if (entities) header.entities = entities
  pace.progress(0.8)
  const composites = await trainEntities(compositeKinds(skeleton), sentences, everywhere, arrays, pace)
  if (composites) header.composites = composites
  header.branches = await trainBranches(skeleton, sentences, everywhere, arrays, pace)
  header.roles = await trainAllRoles(skeleton, sentences, arrays, pace)
  pace.progress(1)
  return pack(header, arrays)
}

const intentsOf = (app: Skeleton): string[] => (app.intents.length > 0 ? app.intents.map(({ name }) => name) : ['None'])

function noneOf(intents: readonly string[]): number | undefined {
  const none = intents.indexOf('None')
  return none >= 0 && intents.length > 1 ? none : undefined
}

async function prepare(app: Skeleton, utterances: AppDocument['utterances'], pace: Pace): Promise<Prepared[]> {
  const finder = new Finder(app)
  const related = relatedModels(app)
  const learnsEntities = app.entities.length + app.hierarchicals.length + app.composites.length > 0
  const tokenized = utterances.map(({ text }) => tokenize(text, app.culture))
  const size = rowSize(tokenized.reduce((sum, tokens) => sum + tokens.length, 0))
  const prepared: Prepared[] = []
  for (const [i, { text, intent, entities }] of utterances.entries()) {
    await pace.breathe()
    if (i % 100 === 0) pace.progress((0.4 * i) / utterances.length)
    const tokens = tokenized[i] ?? []
    const encoded = encode(text, app.culture)
    prepared.push({
      intent,
      tokens,
      labels: entities,
      hits: finder.find(text, {}, related),
      embedding: encoded?.sentence,
      rows: learnsEntities && encoded ? tokenRows(encoded, tokens, size) : undefined,
    })
  }
  return prepared
}

function intentExamples(app: Skeleton, intents: readonly string[], sentences: readonly Prepared[]): Example[] {
  const numbers = new Map(intents.map((name, i) => [name, i]))
  const examples: Example[] = []
  for (const { intent, tokens, hits, labels, embedding } of sentences) {
    const label = numbers.get(intent)
    if (label === undefined) continue
    const entities = flattened(labels).map(({ entity }) => entity)
    const hints = hintsFor(app, hits, entities)
    examples.push({ tokens, hints, embedding, label })
    const masked = maskedTokens(app, tokens, hits)
    if (masked) examples.push({ tokens: masked, hints, embedding, label, isCopy: true })
  }
  return examples
}

/** Returns machine-learned entities, in each labelled role, and children of hierarchical ones. */
function entityKinds(app: Skeleton, sentences: readonly Prepared[]): Kind[] {
  const roles = new Map<string, Set<string>>()
  for (const { labels } of sentences)
    for (const { entity, role } of labels) if (role) roles.set(entity, (roles.get(entity) ?? new Set()).add(role))
  return [
    ...app.entities.flatMap((entity) => {
      const related = relatedOfAll(entity)
      const inRoles = [...(roles.get(entity.name) ?? [])].sort().map((role) => ({ entity: entity.name, role, related }))
      return [{ entity: entity.name, related }, ...inRoles]
    }),
    ...app.hierarchicals.flatMap(({ name, children, features }) =>
      children.map((child) => ({ entity: `${name}::${child.name}`, related: relatedOf(features) })),
    ),
  ]
}

const compositeKinds = (app: Skeleton): Kind[] =>
  app.composites.map(({ name, features, children }) => ({
    entity: name,
    related: {
      names: [...relatedOf(features).names, ...children.map((child) => child.name)],
      required: relatedOf(features).required,
    },
  }))

async function trainEntities(
  kinds: Kind[],
  sentences: readonly Prepared[],
  everywhere: ReadonlySet<string>,
  arrays: Arrays,
  pace: Pace,
): Promise<LayerHeader | undefined> {
  if (kinds.length === 0) return undefined
  const own = new Set(kinds.map(({ entity }) => entity))
  const examples = sentences.map(({ tokens, hits, rows, labels }): LayerExample => {
    const all = flattened(labels)
    const spans = all.flatMap((label) => {
      const exact = kinds.findIndex(({ entity, role }) => entity === label.entity && role === label.role)
      const kind = exact >= 0 ? exact : kinds.findIndex(({ entity }) => entity === label.entity)
      const covered = tokensOf(label, tokens)
      return kind >= 0 && covered ? [{ kind, ...covered }] : []
    })
    // Labels of entities that another layer learns are hits for this one.
    const labelled = all.filter((label) => !own.has(label.entity)).map(asHit)
    return { tokens, hits: [...hits, ...labelled], rows, first: 0, last: tokens.length - 1, spans: disjoint(spans) }
  })
  if (!examples.some(({ spans }) => spans.length > 0)) return undefined
  return trainLayer(kinds, examples, everywhere, arrays, pace)
}

const asHit = ({ entity, startPos, endPos }: Label): Hit => ({
  model: entity,
  kind: 'entity',
  type: entity,
  start: startPos,
  end: endPos + 1,
  source: 'model',
})

async function trainBranches(
  app: Skeleton,
  sentences: readonly Prepared[],
  everywhere: ReadonlySet<string>,
  arrays: Arrays,
  pace: Pace,
): Promise<Record<string, BranchHeader>> {
  // Entries, since an entity may be named __proto__.
  const branches: [string, BranchHeader][] = []
  for (const entity of app.entities) {
    if (!entity.children || entity.children.length === 0) continue
    const places = sentences.flatMap(({ tokens, hits, rows, labels }) =>
      labels.flatMap((label): Place[] => {
        const covered = label.entity === entity.name ? tokensOf(label, tokens) : undefined
        return covered ? [{ tokens, hits, rows, ...covered, children: label.children ?? [] }] : []
      }),
    )
    branches.push([entity.name, await trainBranch(entity.children, places, everywhere, arrays, pace)])
  }
  return Object.fromEntries(branches)
}

async function trainAllRoles(
  app: Skeleton,
  sentences: readonly Prepared[],
  arrays: Arrays,
  pace: Pace,
): Promise<Record<string, RoleHeader>> {
  const roles: [string, RoleHeader][] = []
  for (const entity of [...app.closedLists, ...app.regex_entities, ...app.prebuiltEntities, ...app.composites]) {
    if (entity.roles.length === 0) continue
    const examples = sentences.flatMap(({ tokens, labels }) =>
      flattened(labels)
        .filter((label) => label.entity === entity.name)
        .map((label): RoleExample => ({ tokens, start: label.startPos, end: label.endPos + 1, role: label.role })),
    )
    if (examples.length > 0) roles.push([entity.name, await trainRoles(entity.roles, examples, arrays, pace)])
  }
  return Object.fromEntries(roles)
}
